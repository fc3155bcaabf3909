/// How CSV is written and read where the format leaves a choice.
public struct CSVDialect: Sendable, Hashable {
  /// The byte between two cells.
  public var delimiter: UInt8
  /// What stands for null, written without quotes; text that equals it is quoted.
  public var nullText: String
  /// What joins the elements of a list; nil leaves lists as JSON text.
  public var listSeparator: String?
  /// Whether the first record holds the names.
  public var hasHeader: Bool
  /// Whether the output begins with a byte order mark.
  public var hasByteOrderMark: Bool
  /// Whether lines end with CR LF.
  public var endsLinesWithCRLF: Bool
  /// Whether `'` is put before text that a spreadsheet would take for a formula.
  public var guardsFormulas: Bool
  /// Whether records with too few or too many cells are read, the rest being null or in `_extra`.
  public var allowsRaggedRows: Bool

  /// Creates a dialect; the defaults are RFC 4180 with LF.
  public init(
    delimiter: UInt8 = UInt8(ascii: ","), nullText: String = "", listSeparator: String? = nil,
    hasHeader: Bool = true, hasByteOrderMark: Bool = false, endsLinesWithCRLF: Bool = false,
    guardsFormulas: Bool = false, allowsRaggedRows: Bool = false
  ) {
    self.delimiter = delimiter
    self.nullText = nullText
    self.listSeparator = listSeparator
    self.hasHeader = hasHeader
    self.hasByteOrderMark = hasByteOrderMark
    self.endsLinesWithCRLF = endsLinesWithCRLF
    self.guardsFormulas = guardsFormulas
    self.allowsRaggedRows = allowsRaggedRows
  }

  /// The byte that a `--delimiter` text means: one ASCII character, `\t` or `tab`; nil for anything else.
  public static func delimiter(_ text: String) -> UInt8? {
    if text == "\\t" || text.lowercased() == "tab" { return 9 }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80, byte != 10, byte != 13,
      byte != UInt8(ascii: "\""), byte != 0
    else { return nil }
    return byte
  }
}
