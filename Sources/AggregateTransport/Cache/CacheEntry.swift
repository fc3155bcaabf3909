internal import AggregateCore

/// An answer as it is kept.
struct CacheEntry: Sendable {
  /// Its number in the store; 0 for one that is not there yet.
  var id: Int64
  /// The variant of the address that it is, as ``CacheKey/variant(_:of:)`` writes it.
  var vary: String
  var status: Int
  var headers: [HTTPField]
  var body: ByteBuffer
  /// When it was asked for, or confirmed.
  var fetchedAt: Instant
  var freshUntil: Instant
  /// When it was used, as far as the store knows.
  var usedAt: Instant

  /// The fields that are kept: none that tell of the transfer or of one connection, none that
  /// identify the user, none that are not to be used unconfirmed (sections 3.1 and 5.2.2.4).
  static func lasting(_ headers: [HTTPField], _ control: CacheControl? = nil) -> [HTTPField] {
    let dropped = temporary.union((control ?? CacheControl(headers)).fieldsToConfirm).union(
      headers.filter { $0.isNamed("connection") }
        .flatMap { $0.value.split(separator: ",") }.map { $0.trimmed.lowercased() })
    return headers.filter { !dropped.contains($0.name.lowercased()) }
  }

  private static let temporary: Set<String> = [
    "connection", "content-encoding", "content-length", "keep-alive", "proxy-authenticate",
    "proxy-authentication-info", "proxy-authorization", "proxy-connection", "set-cookie", "te",
    "trailer", "transfer-encoding", "upgrade", "www-authenticate",
  ]

  /// The same body with the fields of an answer that confirmed it (section 3.2).
  func confirmed(by headers: [HTTPField], at askedAt: Instant) -> CacheEntry {
    var copy = self
    let new = Self.lasting(headers)
    // What the old answer says of its own time is not true of the new one.
    let replaced = Set(new.map { $0.name.lowercased() }).union(["age", "date"])
    copy.headers.removeAll { replaced.contains($0.name.lowercased()) }
    copy.headers = Self.lasting(copy.headers + new)
    copy.fetchedAt = askedAt
    copy.freshUntil = CacheFreshness(copy.headers, askedAt: askedAt).end(askedAt: askedAt)
    return copy
  }
}
