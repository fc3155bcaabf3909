public import AggregateCore
import Foundation
import Synchronization

/// An HTTP/1.1 server on loopback whose answers a closure gives: real sockets, own threads.
///
/// Keeps connections alive, records what it was asked and stops when it is released.
public final class FixtureServer: Sendable {
  /// A request as it came in.
  public struct Request: Sendable {
    /// The method.
    public let method: String
    /// Path and query, as sent.
    public let target: String
    /// The header fields, in order.
    public let headers: [HTTPField]
    /// The body.
    public let body: [UInt8]
    /// How many requests came before this one.
    public let index: Int
    /// When it was complete.
    public let at: ContinuousClock.Instant

    /// The path, without the query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The value of a header field; names match without case.
    public func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The decoded value of a query item.
    public func query(_ name: String) -> String? {
      WebURL("http://fixture\(target)")?.queryItems.first { $0.name == name }?.value
    }
  }

  /// An answer, good or broken.
  public struct Response: Sendable {
    /// The status.
    public var status = 200
    /// Header fields beside the length.
    public var headers: [HTTPField] = []
    /// The body, sent as it is.
    public var body: [UInt8] = []
    /// How long nothing is sent.
    public var delay: Duration = .zero
    /// The size of the chunks, for an answer without a length.
    public var chunkSize: Int?
    /// After how many bytes of the body the connection is cut, with a reset or politely.
    public var cutAfter: Int?
    /// Whether the cut is a reset.
    public var resets = true

    /// How long to wait before each byte of the body.
    public var interval: Duration = .zero
    /// What is sent in place of a status line, header fields and a body; nothing when it is empty.
    public var raw: [UInt8]?
    /// Whether the connection is closed behind the raw bytes, without a word about it.
    public var closes = false

    /// Creates an answer.
    public init(_ status: Int = 200, _ body: [UInt8] = [], headers: [HTTPField] = []) {
      self.status = status
      self.body = body
      self.headers = headers
    }

    /// A JSON answer.
    public static func json(
      _ text: String, status: Int = 200, headers: [HTTPField] = []
    ) -> Response {
      Response(
        status, Array(text.utf8), headers: [HTTPField("Content-Type", "application/json")] + headers
      )
    }

    /// A redirect.
    public static func redirect(_ location: String, status: Int = 302) -> Response {
      Response(status, headers: [HTTPField("Location", location)])
    }

    /// Bytes as they go over the wire, right or wrong; `\n` in the text is sent as it is.
    public static func raw(_ text: String, closes: Bool = false) -> Response {
      raw(Array(text.utf8), closes: closes)
    }

    /// Bytes as they go over the wire, right or wrong.
    public static func raw(_ bytes: [UInt8], closes: Bool = false) -> Response {
      var response = Response()
      response.raw = bytes
      response.closes = closes
      return response
    }

    /// The same answer, later.
    public func after(_ delay: Duration) -> Response {
      var copy = self
      copy.delay = delay
      return copy
    }

    /// The same answer, cut after some bytes of the body.
    public func cut(after bytes: Int, resets: Bool = true) -> Response {
      var copy = self
      copy.cutAfter = bytes
      copy.resets = resets
      return copy
    }

    /// The same answer, byte by byte.
    public func dripping(_ interval: Duration) -> Response {
      var copy = self
      copy.interval = interval
      return copy
    }

    /// The same answer in chunks instead of with a length.
    public func chunked(_ size: Int) -> Response {
      var copy = self
      copy.chunkSize = size
      return copy
    }
  }

  private struct State {
    var requests: [Request] = []
    var connections: Set<Int32> = []
    var underWay = 0
    var mostUnderWay = 0
    var accepted = 0
    var isStopped = false
  }

  private let listener: Int32
  private let handler: @Sendable (Request) -> Response
  private let state = Mutex(State())
  /// The port it listens on.
  public let port: Int

  /// Starts a server whose answers `handler` gives, on any thread.
  public static func start(
    _ handler: @escaping @Sendable (Request) -> Response
  ) throws -> FixtureServer {
    let server = try FixtureServer(handler)
    let listener = server.listener
    Thread.detachNewThread { [weak server] in
      defer { close(listener) }
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        guard let server, server.admit(connection) else {
          close(connection)
          return
        }
        Thread.detachNewThread { [weak server] in
          var reader = ConnectionReader(connection)
          while let parts = reader.next(), let server {
            guard server.answer(parts, on: connection) else { break }
          }
          server?.forget(connection)
          close(connection)
        }
      }
    }
    return server
  }

  private init(_ handler: @escaping @Sendable (Request) -> Response) throws {
    self.handler = handler
    let listener = Self.makeSocket()
    self.listener = listener
    signal(SIGPIPE, SIG_IGN)
    var on: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = Self.address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let fine = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(listener, generic, length) == 0 && listen(listener, 256) == 0
          && getsockname(listener, generic, &length) == 0
      }
    }
    guard fine else { throw AggregateError(.internal, "no port on loopback: error \(errno)") }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  private static func makeSocket() -> Int32 {
    #if canImport(Glibc)
      socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
  }

  deinit { stop() }

  /// `http://127.0.0.1:PORT`.
  public var baseURL: String { "http://127.0.0.1:\(port)" }

  /// `http://localhost:PORT`: the same server under the name of another origin.
  public var otherBaseURL: String { "http://localhost:\(port)" }

  /// The requests so far, in order of arrival.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// The most requests that were being answered at the same time.
  public var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

  /// How many connections were made.
  public var connectionCount: Int { state.withLock { $0.accepted } }

  /// Closes all connections and listens no more.
  public func stop() {
    let isFirst = state.withLock { state in
      // Under the lock, for a number whose connection is closed may be another one's already.
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      defer { state.isStopped = true }
      return !state.isStopped
    }
    if isFirst { wakeListener() }
  }

  /// Lets the listening thread see that it is over; that thread closes the socket, nobody else may.
  private func wakeListener() {
    let connection = Self.makeSocket()
    var address = Self.address(port: port)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    close(connection)
  }

  private func admit(_ connection: Int32) -> Bool {
    state.withLock { state in
      if state.isStopped { return false }
      state.accepted += 1
      state.connections.insert(connection)
      return true
    }
  }

  private func forget(_ connection: Int32) {
    state.withLock { _ = $0.connections.remove(connection) }
  }

  /// Answers one request; false when the connection is to be closed.
  private func answer(_ parts: ConnectionReader.Parts, on connection: Int32) -> Bool {
    let request = state.withLock { state in
      state.underWay += 1
      state.mostUnderWay = max(state.mostUnderWay, state.underWay)
      let request = Request(
        method: parts.method, target: parts.target, headers: parts.headers, body: parts.body,
        index: state.requests.count, at: .now)
      state.requests.append(request)
      return request
    }
    defer { state.withLock { $0.underWay -= 1 } }
    let response = handler(request)
    if response.delay > .zero {
      ConnectionWriter.sleep(response.delay)
    }
    return ConnectionWriter(connection).send(response, isHead: request.method == "HEAD")
  }
}
