public import AggregateCore
internal import AggregateJSON
internal import Synchronization

/// Answers from a HAR recording, this program's or a browser's.
///
/// Method, address and body are compared, credentials and what was redacted left out. Several
/// entries for the same request answer in their order; the last one goes on answering.
public final class ReplayWire: Wire {
  private let name: String
  private let redactor: Redactor
  private let entries: [HAREntry]
  private let served = Mutex<[String: Int]>([:])
  /// By the names of the credentials: the entries of each method and address, for the usual case.
  private let indexes = Mutex<[Set<String>: [String: [Int]]]>([:])

  /// Reads the recording at `path`.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` (no such file) or `badData` (no HAR).
  public convenience init(path: String, redactor: Redactor) throws {
    try self.init(FileBytes.read(path), name: path, redactor: redactor)
  }

  /// Reads a recording from its bytes; `name` is for messages.
  public init(_ bytes: ByteBuffer, name: String, redactor: Redactor) throws {
    self.name = name
    self.redactor = redactor
    do {
      entries = try HAREntry.all(in: JSONDocument(parsing: bytes))
    } catch let error as AggregateError {
      throw AggregateError(
        .badData, "\(name) is not a HAR recording: \(error.message)",
        hint: "“--record FILE.har” and the network tab of browsers write them")
    }
  }

  /// The recorded answer to `request`.
  ///
  /// - Throws: ``AggregateError`` with code `rejected` when there is none; ``WireFailure`` when a
  ///   failure was recorded.
  public func exchange(_ request: WireRequest) async throws -> WireResponse {
    let address = comparable(request.shownURL, without: request.secretQueryNames)
    let body = request.body.map { redactor.redact(String(decoding: $0, as: UTF8.self)) } ?? ""
    let same = entries(request.method, address, request)
    let answering = same.filter { entry in
      guard let recorded = entry.body else { return true }
      return Self.matches(recorded: redactor.redact(recorded), body)
    }
    guard !answering.isEmpty else {
      throw AggregateError(
        .rejected,
        "the recording \(name) has no answer to this request"
          + (same.isEmpty ? "" : " with this body"),
        hint: "record it again with “--record”")
    }
    let turn = served.withLock { served in
      let key = "\(request.method) \(address)\n\(body)"
      defer { served[key, default: 0] += 1 }
      return served[key, default: 0]
    }
    return try answering[min(turn, answering.count - 1)].response()
  }

  private func entries(
    _ method: String, _ address: String, _ request: WireRequest
  ) -> [HAREntry] {
    let names = request.secretQueryNames
    let exact = indexes.withLock { indexes in
      if let index = indexes[names] { return index["\(method) \(address)"] }
      let index = Dictionary(grouping: entries.indices) {
        "\(entries[$0].method) \(comparable(entries[$0].url, without: names))"
      }
      indexes[names] = index
      return index["\(method) \(address)"]
    }
    if let exact { return exact.map { entries[$0] } }
    return entries.filter { entry in
      entry.method == method && entry.origin == request.shownURL.origin
        && Self.matches(recorded: comparable(entry.url, without: names), address)
    }
  }

  /// The text that addresses are compared by: its secrets masked, its credentials gone.
  private func comparable(_ url: WebURL, without names: Set<String>) -> String {
    var url = url
    if !names.isEmpty, let query = url.query {
      let kept = query.split(separator: "&").filter { item in
        let name = WebURL.decoded(String(item.prefix { $0 != "=" }), plusIsSpace: true)
        return !names.contains(name)
      }
      url.query = kept.isEmpty ? nil : kept.joined(separator: "&")
    }
    if url.path.isEmpty { url.path = "/" }
    return redactor.redact(url.description)
  }

  /// Whether two texts are the same where `recorded` is not masked.
  static func matches(recorded: String, _ text: String) -> Bool {
    if recorded == text { return true }
    guard recorded.contains(Redactor.mask) else { return false }
    let parts = split(Array(recorded.utf8), by: Array(Redactor.mask.utf8))
    var rest = Array(text.utf8)[...]
    for (index, part) in parts.enumerated() {
      if index == 0 {
        guard rest.starts(with: part) else { return false }
        rest = rest.dropFirst(part.count)
      } else if index == parts.count - 1 {
        return rest.count >= part.count && rest.suffix(part.count).elementsEqual(part)
      } else {
        guard let end = end(of: part, in: rest) else { return false }
        rest = rest[end...]
      }
    }
    return rest.isEmpty
  }

  private static func split(_ bytes: [UInt8], by separator: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while let end = end(of: separator[...], in: rest) {
      parts.append(rest[..<(end - separator.count)])
      rest = rest[end...]
    }
    return parts + [rest]
  }

  private static func end(of part: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= part.count else { return nil }
    return (bytes.startIndex...bytes.endIndex - part.count).first {
      bytes[$0..<$0 + part.count].elementsEqual(part)
    }.map { $0 + part.count }
  }
}
