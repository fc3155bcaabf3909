internal import AggregateCore
internal import CCurl
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The network: one libcurl loop on its own thread, shared by all sources of a run.
///
/// libcurl is loaded, and the thread started, by the first request.
public final class CurlEngine: Wire {
  private struct State {
    var loop: CurlLoop?
    var nextID: UInt64 = 0
  }

  private let options: CurlOptions
  private let handles = CurlHandles()
  private let state = Mutex(State())

  /// Creates an engine; nothing is loaded yet.
  ///
  /// `CURL_CA_BUNDLE`, or else `SSL_CERT_FILE`, names certificates to trust, as for the curl program.
  public convenience init(userAgent: String) {
    self.init(userAgent: userAgent) { name in getenv(name).map { String(cString: $0) } }
  }

  /// Creates an engine for an environment.
  init(userAgent: String, environment: (String) -> String?) {
    let files = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap(environment)
    options = CurlOptions(
      userAgent: userAgent, authorities: files.first { !$0.isEmpty },
      proxyExceptions: ProxyExceptions(environment("no_proxy") ?? environment("NO_PROXY")))
  }

  deinit { state.withLock { $0.loop?.stop() } }

  /// The version of libcurl, such as `7.88.1`.
  ///
  /// - Throws: ``AggregateError`` with code `unavailable` when it is not installed.
  public static func libraryVersion() throws -> String {
    try load()
    return ccurl_version().map { String(cString: $0) } ?? "unknown"
  }

  /// Sends `request`; when the task is cancelled the transfer is dropped at once.
  public func exchange(_ request: WireRequest) async throws -> WireResponse {
    let (loop, id) = try start()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        let transfer = CurlTransfer(id: id, request, options, handles, continuation)
        guard let transfer else {
          return continuation.resume(throwing: WireFailure("libcurl has no memory left"))
        }
        loop.add(transfer)
        request.onStart?()
        // A cancellation that came before the transfer was known to the loop was told in vain.
        if Task.isCancelled { loop.cancel(id) }
      }
    } onCancel: {
      loop.cancel(id)
    }
  }

  private func start() throws -> (CurlLoop, UInt64) {
    try Self.load()
    return try state.withLock { state in
      state.nextID += 1
      if let loop = state.loop { return (loop, state.nextID) }
      guard let loop = CurlLoop() else {
        throw AggregateError(.unavailable, "libcurl could not be started")
      }
      state.loop = loop
      return (loop, state.nextID)
    }
  }

  private static func load() throws {
    guard let problem = ccurl_load() else { return }
    throw AggregateError(
      .unavailable, String(cString: problem),
      hint: "install it: “apt install libcurl4”, “dnf install libcurl” or “brew install curl”")
  }
}
