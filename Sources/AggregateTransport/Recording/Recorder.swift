public import AggregateCore
internal import Synchronization

/// Records the exchanges of a run as a HAR 1.2 file, without secrets.
///
/// Redaction happens when the file is written: only then all secrets are known, tokens included.
public final class Recorder: Sendable {
  struct Exchange: Sendable {
    var request: WireRequest
    var result: Result<WireResponse, WireFailure>
    var startedAt: Instant
  }

  private let redactor: Redactor
  private let creator: String
  private let exchanges = Mutex<[Exchange]>([])

  /// Creates an empty recording; `version` is that of this program.
  public init(redactor: Redactor, version: String) {
    self.redactor = redactor
    creator = version
  }

  /// A wire that records what goes over `wire`; each try is an entry.
  public func recording(_ wire: any Wire) -> any Wire { RecordingWire(recorder: self, wire: wire) }

  /// Writes the recording; the file is replaced as a whole.
  ///
  /// - Throws: ``AggregateError`` with code `output`.
  public func write(to path: String) throws {
    let sorted = exchanges.withLock { exchanges in
      exchanges.enumerated()
        .sorted { ($0.element.startedAt, $0.offset) < ($1.element.startedAt, $1.offset) }
        .map(\.element)
    }
    var writer = HARWriter(redactor: redactor)
    writer.write(sorted, version: creator)
    try writer.withUnsafeBytes { try AtomicFile.replace(path, with: $0) }
  }

  private func add(_ exchange: Exchange) { exchanges.withLock { $0.append(exchange) } }

  private struct RecordingWire: Wire {
    let recorder: Recorder
    let wire: any Wire

    func exchange(_ request: WireRequest) async throws -> WireResponse {
      let start = Instant.now
      do {
        let response = try await wire.exchange(request)
        recorder.add(
          Exchange(request: request, result: .success(response), startedAt: response.startedAt))
        return response
      } catch let failure as WireFailure {
        recorder.add(Exchange(request: request, result: .failure(failure), startedAt: start))
        throw failure
      }
    }
  }
}
