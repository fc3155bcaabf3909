internal import AggregateCore
internal import AggregateJSON

/// One entry of a HAR recording; its content is decoded when it is served.
struct HAREntry: Sendable {
  let method: String
  let url: WebURL
  let origin: String
  let body: String?
  private let startedAt: Instant
  private let answer: JSONNode

  /// Fields that tell of a transfer that is over.
  private static let dropped: Set<String> = [
    "content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive",
  ]

  /// The entries of a document that were answered; those for other schemes are left out.
  static func all(in document: JSONDocument) throws -> [HAREntry] {
    guard let entries = document.root["log"]?["entries"], entries.kind == .array else {
      throw AggregateError(.badData, "it has no “log.entries”")
    }
    return entries.elements.compactMap(HAREntry.init)
  }

  private init?(_ entry: JSONNode) {
    guard let request = entry["request"], let answer = entry["response"],
      let method = request["method"]?.string, let text = request["url"]?.string,
      let url = WebURL(text), let status = answer["status"]?.int64,
      status > 0 || answer["_error"]?.string != nil
    else { return nil }
    self.method = method
    self.url = url
    origin = url.origin
    body = request["postData"]?["text"]?.string
    startedAt =
      entry["startedDateTime"]?.string.flatMap { Instant(iso8601: $0, zone: .utc) } ?? .now
    self.answer = answer
  }

  /// The recorded answer.
  ///
  /// - Throws: ``WireFailure`` when it is a failure; ``AggregateError`` when its content is broken.
  func response() throws -> WireResponse {
    let status = Int(answer["status"]?.int64 ?? 0)
    if status == 0 {
      throw WireFailure(
        answer["_error"]?.string ?? "no answer was recorded",
        isTransient: answer["_final"]?.bool != true, hint: answer["_hint"]?.string)
    }
    var headers: [HTTPField] = []
    if let fields = answer["headers"] {
      for field in fields.elements {
        guard let name = field["name"]?.string, let value = field["value"]?.string,
          !name.hasPrefix(":"), !Self.dropped.contains(name.lowercased())
        else { continue }
        headers.append(HTTPField(name, value))
      }
    }
    let content = answer["content"]
    let hasType = headers.contains { $0.isNamed("content-type") }
    if let type = content?["mimeType"]?.string, !type.isEmpty, !hasType {
      headers.append(HTTPField("Content-Type", type))
    }
    let text = content?["text"]?.string ?? ""
    let body: ByteBuffer
    if content?["encoding"]?.string == "base64" {
      guard let bytes = Base64.decode(text) else {
        throw AggregateError(.badData, "the recorded content is not Base64")
      }
      body = ByteBuffer(bytes)
    } else {
      body = ByteBuffer(text)
    }
    return WireResponse(status: status, headers: headers, body: body, startedAt: startedAt)
  }
}
