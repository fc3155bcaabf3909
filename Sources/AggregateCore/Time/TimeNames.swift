/// The English names of months and days, as formats and feeds use them.
public enum TimeNames {
  /// January … December.
  public static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  /// Sunday … Saturday.
  public static let days = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// The month (1…12) whose name, or the first three letters of it, is `bytes`, in any case.
  static func month(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= 3 else { return nil }
    return index(of: bytes, in: months).map { $0 + 1 }
  }

  /// The month (1…12) whose name, or the first three letters of it, is `text`, in any case.
  static func month(_ text: String) -> Int? {
    var text = text
    return text.withUTF8 { month(UnsafeRawBufferPointer($0)) }
  }

  private static func index(of bytes: UnsafeRawBufferPointer, in names: [String]) -> Int? {
    names.firstIndex { name in
      let name = name.utf8
      guard bytes.count == 3 || bytes.count == name.count else { return false }
      return zip(bytes, name).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
  }

  /// The index of the longest of `names`, or of their first three letters, that `bytes` goes on
  /// with at `cursor`; moves behind it.
  static func match(
    _ names: [String], _ bytes: UnsafeRawBufferPointer, _ cursor: inout Int
  ) -> Int? {
    for isShort in [false, true] {
      for (index, name) in names.enumerated() {
        let wanted = isShort ? name.utf8.prefix(3) : name.utf8.prefix(name.utf8.count)
        guard cursor + wanted.count <= bytes.count,
          zip(bytes[cursor..<cursor + wanted.count], wanted).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { continue }
        cursor += wanted.count
        return index
      }
    }
    return nil
  }
}
