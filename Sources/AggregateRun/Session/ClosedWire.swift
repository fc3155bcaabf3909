import AggregateCore
import AggregateTransport

/// A network that is not there, for runs that must not ask anybody.
struct ClosedWire: Wire {
  func exchange(_ request: WireRequest) async throws -> WireResponse {
    throw AggregateError(
      .rejected, "a test sends no requests, but \(request.shownURL) is needed",
      hint: "give it “replay: FILE.har” or “sample: true”")
  }
}
