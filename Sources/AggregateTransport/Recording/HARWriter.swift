internal import AggregateCore

/// Writes exchanges in the HAR 1.2 format, redacting on the way.
struct HARWriter: ~Copyable {
  private static let maskedFields: Set<String> = ["set-cookie", "set-cookie2"]

  private let redactor: Redactor
  private var out = ByteBuilder(capacity: 65_536)

  init(redactor: Redactor) { self.redactor = redactor }

  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    try out.withUnsafeBytes(body)
  }

  /// Writes the whole file.
  mutating func write(_ exchanges: [Recorder.Exchange], version: String) {
    out.append(
      #"{"log":{"version":"1.2","creator":{"name":"aggregate","version":"#
        + #"\#(EscapedText.quoted(version))},"pages":[],"entries":["#)
    for (index, exchange) in exchanges.enumerated() {
      out.append(index == 0 ? "\n" : ",\n")
      write(exchange)
    }
    out.append("\n]}}\n")
  }

  private mutating func write(_ exchange: Recorder.Exchange) {
    let seconds = if case .success(let response) = exchange.result { response.seconds } else { 0.0 }
    let milliseconds = (seconds * 1e6).rounded() / 1000
    out.append(
      #"{"startedDateTime":"\#(exchange.startedAt.iso8601)","time":\#(milliseconds),"request":"#)
    write(exchange.request)
    out.append(#","response":"#)
    switch exchange.result {
    case .success(let response): write(response)
    case .failure(let failure): write(failure)
    }
    out.append(
      #","cache":{},"timings":{"send":0,"wait":\#(milliseconds),"receive":0}}"#)
  }

  private mutating func write(_ request: WireRequest) {
    out.append(#"{"method":\#(text(request.method)),"url":\#(text(request.shownURL.description))"#)
    out.append(#","httpVersion":"HTTP/1.1","cookies":[],"headers":"#)
    write(request.headers) { request.secretHeaderNames.contains($0) }
    out.append(#","queryString":["#)
    for (index, item) in request.shownURL.queryItems.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      out.append(#"{"name":\#(text(item.name)),"value":\#(text(item.value))}"#)
    }
    out.append("]")
    if let body = request.body {
      let type = request.headers.first { $0.isNamed("content-type") }?.value ?? ""
      out.append(
        #","postData":{"mimeType":\#(text(type)),"params":[],"text":"#
          + "\(text(String(decoding: body, as: UTF8.self)))}")
    }
    out.append(#","headersSize":-1,"bodySize":\#(request.body?.count ?? 0)}"#)
  }

  private mutating func write(_ response: WireResponse) {
    out.append(
      #"{"status":\#(response.status),"statusText":"","httpVersion":"\#(response.version)""#)
    out.append(#","cookies":[],"headers":"#)
    write(response.headers) { Self.maskedFields.contains($0) }
    let type = response.headers.last { $0.isNamed("content-type") }?.value ?? ""
    out.append(#","content":{"size":\#(response.body.count),"mimeType":\#(text(type))"#)
    write(content: response.body)
    let location = response.headers.first { $0.isNamed("location") }?.value ?? ""
    out.append(
      #"},"redirectURL":\#(text(location)),"headersSize":-1,"bodySize":\#(response.bytesReceived)}"#
    )
  }

  private mutating func write(_ failure: WireFailure) {
    out.append(
      #"{"status":0,"statusText":"","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":"#
        + #"{"size":0,"mimeType":"x-unknown"},"redirectURL":"","headersSize":-1,"bodySize":-1,"#
        + #""_error":\#(text(failure.message))"#)
    if let hint = failure.hint { out.append(#","_hint":\#(text(hint))"#) }
    out.append(failure.isTransient ? "}" : #","_final":true}"#)
  }

  private mutating func write(_ headers: [HTTPField], isMasked: (String) -> Bool) {
    out.append("[")
    for (index, field) in headers.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      let value =
        isMasked(field.name.lowercased())
        ? EscapedText.quoted(Redactor.mask) : text(field.value)
      out.append(#"{"name":\#(text(field.name)),"value":\#(value)}"#)
    }
    out.append("]")
  }

  /// A body as text when it is UTF-8, and without secrets even when it is not.
  private mutating func write(content body: ByteBuffer) {
    let plain = body.text
    let isText = body.withUnsafeBytes { $0.elementsEqual(plain.utf8) }
    let safe = TokenMask.masking(redactor.redact(plain))
    if isText || safe != plain {
      out.append(#","text":\#(EscapedText.quoted(safe))"#)
    } else {
      let bytes = body.withUnsafeBytes { Array($0) }
      out.append(#","text":"\#(Base64.encode(bytes))","encoding":"base64""#)
    }
  }

  private func text(_ value: String) -> String { EscapedText.quoted(redactor.redact(value)) }
}
