extension ProviderSpec.Sample {
  /// Whether it was recorded for an address: all of its texts stand there, as written or decoded.
  ///
  /// A text with a `/` or a `=` in it has to be whole: `/pokemon/1` does not stand in `/pokemon/12`, nor
  /// `limit=2` in `limit=20`. A fraction may go on, for coordinates come with any number of digits: `lat=51.5`
  /// stands in `lat=51.50853`.
  public func answers(_ url: WebURL) -> Bool {
    let address = "\(url.authority)\(url.path)" + (url.query.map { "?\($0)" } ?? "")
    let decoded = WebURL.decoded(address, plusIsSpace: true)
    return matching.allSatisfy {
      Self.stands($0, in: address) || Self.stands($0, in: decoded)
    }
  }

  private static func stands(_ text: String, in address: String) -> Bool {
    guard text.contains("/") || text.contains("=") else { return address.contains(text) }
    let (wanted, all) = (Array(text.unicodeScalars), Array(address.unicodeScalars))
    guard let first = wanted.first, let last = wanted.last, wanted.count <= all.count else {
      return false
    }
    let endsInFraction =
      wanted.reversed().drop(while: isDigit).first == "." && isDigit(last)
    for start in 0...all.count - wanted.count
    where all[start..<start + wanted.count].elementsEqual(wanted) {
      let end = start + wanted.count
      if start > 0, isPartOfName(first), isPartOfName(all[start - 1]) { continue }
      if end < all.count, isPartOfName(last), isPartOfName(all[end]) {
        guard endsInFraction, isDigit(all[end]) else { continue }
      }
      return true
    }
    return false
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

  private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-"
      || scalar == "_"
  }
}
