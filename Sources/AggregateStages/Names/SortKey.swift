internal import AggregateCore

/// A column to sort by: `temp`, or `-temp` for larger values first.
struct SortKey: Sendable {
  /// The name as written, with its sign.
  let written: LocatedText

  /// The keys of an option.
  static func keys(_ options: Options, _ option: String) -> [SortKey] {
    NameList.names(options, option).map(SortKey.init(written:))
  }

  /// Where the key leads and whether larger values come first; a column whose own name begins with the sign wins.
  func resolve(in schema: Schema) throws -> (reference: ColumnReference, descending: Bool) {
    if schema.index(of: written.text) == nil, let sign = written.text.first,
      sign == "-" || sign == "+"
    {
      let name = LocatedText(
        String(written.text.dropFirst()), at: written.location.advanced(by: 1))
      return (try schema.resolve(name), sign == "-")
    }
    return (try schema.resolve(written), false)
  }
}
