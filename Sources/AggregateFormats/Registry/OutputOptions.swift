/// What the writers of all formats may be told.
public struct OutputOptions: Sendable {
  /// How CSV and TSV are written.
  public var dialect: CSVDialect
  /// What writers for people may assume of where the output goes.
  public var style: TerminalStyle
  /// What the rows are called where a format names them: the stream of Singer, the title of a page.
  public var title: String

  /// Creates options.
  public init(
    dialect: CSVDialect = CSVDialect(), style: TerminalStyle = TerminalStyle(),
    title: String = "rows"
  ) {
    self.dialect = dialect
    self.style = style
    self.title = title
  }
}
