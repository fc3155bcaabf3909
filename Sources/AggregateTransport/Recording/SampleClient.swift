public import AggregateCore

/// Answers from the recorded samples that a provider brings along: no network, no key.
public struct SampleClient: HTTPClient {
  private let source: String
  private let samples: [ProviderSpec.Sample]

  /// Creates a client for a source of the provider that brings `samples`.
  public init(source: String, samples: [ProviderSpec.Sample]) {
    self.source = source
    self.samples = samples
  }

  /// The first sample that was recorded for the address.
  ///
  /// - Throws: ``AggregateError`` with code `rejected` when there is none.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let sample = samples.first(where: { $0.answers(request.url) }) else {
      throw AggregateError(
        .rejected, "there is no sample for \(request.url)", hint: covered, source: source)
    }
    return HTTPResponse(
      status: 200, headers: [HTTPField("Content-Type", sample.contentType)],
      body: ByteBuffer(sample.body()), url: request.url, fetchedAt: .now)
  }

  private var covered: String {
    if samples.isEmpty { return "this provider has no samples; leave “--sample” out" }
    let shown = samples.prefix(8).map { $0.matching.joined(separator: " … ") }
    return "samples cover only " + shown.joined(separator: ", ")
      + (samples.count > 8 ? " and \(samples.count - 8) more" : "")
  }
}
