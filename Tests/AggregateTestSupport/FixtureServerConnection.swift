import AggregateCore
import Foundation

/// Reads requests from a connection of a ``FixtureServer``.
struct ConnectionReader {
  struct Parts {
    var method: String
    var target: String
    var headers: [HTTPField]
    var body: [UInt8]
  }

  private let connection: Int32
  private var pending: [UInt8] = []

  init(_ connection: Int32) { self.connection = connection }

  /// The next request; nil when the connection ended.
  mutating func next() -> Parts? {
    let end = Array("\r\n\r\n".utf8)
    var headEnd = Self.find(end, in: pending)
    while headEnd == nil {
      guard fill() else { return nil }
      headEnd = Self.find(end, in: pending)
    }
    guard let headEnd else { return nil }
    let lines = String(decoding: pending[..<headEnd], as: UTF8.self).components(
      separatedBy: "\r\n")
    pending.removeFirst(headEnd + end.count)
    let words = lines[0].components(separatedBy: " ")
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> HTTPField? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return HTTPField(
        String(line[..<colon]),
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
    }
    let length =
      headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    while pending.count < length {
      guard fill() else { return nil }
    }
    let body = Array(pending.prefix(length))
    pending.removeFirst(length)
    return Parts(method: words[0], target: words[1], headers: headers, body: body)
  }

  private mutating func fill() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    pending.append(contentsOf: chunk[..<count])
    return true
  }

  private static func find(_ needle: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= needle.count else { return nil }
    return (0...bytes.count - needle.count).first {
      bytes[$0] == needle[0] && bytes[$0..<$0 + needle.count].elementsEqual(needle)
    }
  }
}

/// Writes answers to a connection of a ``FixtureServer``.
struct ConnectionWriter {
  private let connection: Int32

  init(_ connection: Int32) { self.connection = connection }

  /// Sends an answer; false when the connection is to be closed.
  func send(_ response: FixtureServer.Response, isHead: Bool) -> Bool {
    if let raw = response.raw { return write(raw) && !response.closes }
    var head = "HTTP/1.1 \(response.status) Fixture\r\n"
    for field in response.headers { head += "\(field.name): \(field.value)\r\n" }
    let isBodiless = isHead || response.status == 304 || response.status == 204
    if let size = response.chunkSize, !isBodiless {
      guard write(Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)) else { return false }
      return sendChunks(response, size: max(1, size))
    }
    if !isBodiless { head += "Content-Length: \(response.body.count)\r\n" }
    if response.cutAfter == 0 && response.resets { return reset() }
    guard write(Array((head + "\r\n").utf8)) else { return false }
    if isBodiless { return true }
    if let cut = response.cutAfter {
      _ = write(Array(response.body.prefix(cut)))
      // Time to arrive: a reset discards what the other side has not read.
      Thread.sleep(forTimeInterval: 0.05)
      return response.resets ? reset() : false
    }
    if response.interval > .zero {
      return response.body.allSatisfy { byte in
        Self.sleep(response.interval)
        return write([byte])
      }
    }
    return write(response.body)
  }

  static func sleep(_ duration: Duration) {
    Thread.sleep(
      forTimeInterval: Double(duration.components.seconds)
        + Double(duration.components.attoseconds) / 1e18)
  }

  private func sendChunks(_ response: FixtureServer.Response, size: Int) -> Bool {
    var offset = 0
    while offset < response.body.count {
      if let cut = response.cutAfter, offset >= cut { return response.resets ? reset() : false }
      let chunk = response.body[offset..<min(offset + size, response.body.count)]
      let head = Array("\(String(chunk.count, radix: 16))\r\n".utf8)
      guard write(head + chunk + [13, 10]) else { return false }
      offset += chunk.count
    }
    return write(Array("0\r\n\r\n".utf8))
  }

  private func reset() -> Bool {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    return false
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let sent = bytes.withUnsafeBytes { buffer in
        Foundation.send(
          connection, buffer.baseAddress.map { $0 + offset }, bytes.count - offset, 0)
      }
      guard sent > 0 else { return false }
      offset += sent
    }
    return true
  }
}
