internal import AggregateCore

extension HTTPField {
  /// Whether the field has the name `lowered`, which is in lower case; nothing is copied.
  func isNamed(_ lowered: String) -> Bool {
    name.utf8.count == lowered.utf8.count
      && zip(name.utf8, lowered.utf8).allSatisfy { byte, other in
        ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == other
      }
  }
}
