public import AggregateCore
public import AggregateJSON

/// How an input is to be read.
public struct InputOptions: Sendable {
  /// The name of the format; nil or `auto`: by extension, then by the first bytes.
  public var format: String?
  /// Which values of JSON documents are the records; nil: each document or element of an array.
  public var records: JSONPath?
  /// How CSV is read; the delimiter counts only when `hasDelimiter`.
  public var dialect = CSVDialect()
  /// Whether the dialect's delimiter was chosen, so that it is not looked for.
  public var hasDelimiter = false
  /// The encoding of the text; nil: UTF-8, or UTF-16 where a byte order mark says so.
  public var encoding: TextEncoding?
  /// The columns that are wanted; nil: all that there are.
  public var columns: [InputColumn]?
  /// The columns of JSON records, when they are known; nil: found in a sample.
  public var schema: Schema?
  /// How many records are looked at to find the columns of JSON.
  public var sampleRecords = 1000
  /// In how many bytes at the beginning they are looked for; at least one record is looked at.
  public var sampleBytes = 1 << 20
  /// Whether malformed records are left out and counted rather than ending the run.
  public var skipsMalformed = false
  /// How many bytes are read at once.
  public var blockSize = 512 * 1024
  /// How many rows a batch has at most where the format leaves that open.
  public var batchRows = Batch.defaultRowCount
  /// The most bytes that a compressed input may become.
  public var maximumSize = Int.max

  /// Creates the usual options.
  public init() {}
}

/// Encodings of text that can be read beside UTF-8.
public enum TextEncoding: String, Sendable, CaseIterable {
  /// UTF-8.
  case utf8 = "utf-8"
  /// UTF-16 with a byte order mark, or little-endian.
  case utf16 = "utf-16"
  /// UTF-16, low byte first.
  case utf16LittleEndian = "utf-16le"
  /// UTF-16, high byte first.
  case utf16BigEndian = "utf-16be"
  /// ISO 8859-1.
  case latin1 = "latin-1"

  /// The encoding of this name, in whatever case; `utf8`, `iso-8859-1` and the like are known too.
  public init?(name: String) {
    switch name.lowercased().replacing("_", with: "-") {
    case "utf-8", "utf8": self = .utf8
    case "utf-16", "utf16": self = .utf16
    case "utf-16le": self = .utf16LittleEndian
    case "utf-16be": self = .utf16BigEndian
    case "latin-1", "latin1", "iso-8859-1": self = .latin1
    default: return nil
    }
  }
}
