/// Who has cursors in an incremental source: the source itself, or another one that reads it.
///
/// A source that is read for each row of another one (`for_each`) must see every row of it once,
/// whatever runs of that other one there were meanwhile.
package struct CursorOwner: Hashable, CustomStringConvertible {
  let source: String
  var reader: String?

  /// What the state database and `aggregate state` call it: `issues`, or `issues for comments`.
  package var description: String { reader.map { "\(source)\(Self.word)\($0)" } ?? source }

  private static let word = " for "

  /// Whether `name` is that of cursors that `source` has in another one.
  package static func isReader(_ source: String, of name: String) -> Bool {
    name.hasSuffix(word + source)
  }
}
