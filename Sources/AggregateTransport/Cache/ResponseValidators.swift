internal import AggregateCore

/// What tells whether a kept answer is still the current one: `ETag` and `Last-Modified`.
struct ResponseValidators {
  private let tag: String?
  private let date: String?

  init(_ entry: CacheEntry) { self.init(entry.headers) }

  init(_ headers: [HTTPField]) {
    func first(_ name: String) -> String? {
      headers.first { $0.isNamed(name) }.map(\.value.trimmed).flatMap {
        $0.isEmpty ? nil : $0
      }
    }
    tag = first("etag")
    date = first("last-modified")
  }

  /// The fields that ask for confirmation (section 4.3.1).
  var conditions: [HTTPField] {
    var fields: [HTTPField] = []
    if let tag { fields.append(HTTPField("If-None-Match", tag)) }
    if let date { fields.append(HTTPField("If-Modified-Since", date)) }
    return fields
  }

  /// Whether a 304 with these fields is about this answer (section 4.3.4).
  ///
  /// Tags are compared weakly, as the server compared the only one that it was asked about: what
  /// compresses an answer makes its tag weak, but leaves that of the 304 as it was.
  func areConfirmed(by headers: [HTTPField]) -> Bool {
    let other = Self(headers)
    if let tag, let told = other.tag { return Self.opaque(tag) == Self.opaque(told) }
    if let date, let told = other.date { return date == told }
    return other.tag == nil && other.date == nil
  }

  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}
