public import AggregateCore

/// Writes messages of the Singer protocol: a SCHEMA, a RECORD per row, a STATE at the end.
public final class SingerWriter: Writer {
  static let spec = FormatSpec(
    "singer", "Messages of the Singer protocol: SCHEMA, RECORD, STATE.", extensions: [],
    isFlat: false, writing: .writer { SingerWriter(stream: $0.title) })

  private let stream: String
  private let encoder = NDJSONEncoder(.lines)

  /// Creates a writer of a stream of this name.
  public init(stream: String) { self.stream = EscapedText.quoted(stream) }

  /// Appends the SCHEMA message; every property may be null.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    let columns = schema.isOpen ? schema.columns.dropLast() : schema.columns[...]
    let properties = columns.map { column in
      EscapedText.quoted(column.name) + ":" + Self.type(column.type)
    }
    out.append(
      "{\"type\":\"SCHEMA\",\"stream\":\(stream),\"schema\":{\"type\":\"object\",\"properties\":{"
        + properties.joined(separator: ",") + "}},\"key_properties\":[]}\n")
  }

  /// Appends a RECORD message per row.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    var rows = ByteBuilder()
    try encoder.encode(batch, into: &rows)
    rows.withUnsafeBytes { bytes in
      var start = 0
      // Rows hold no line ends: in text they are escaped, and nested values are minified.
      while let end = bytes.firstIndex(of: 10, from: start) {
        out.append("{\"type\":\"RECORD\",\"stream\":\(stream),\"record\":")
        out.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        out.append(literal: "}\n")
        start = end + 1
      }
    }
  }

  /// Appends an empty STATE: the state of a source is kept by this program.
  public func finish(into out: inout ByteBuilder) throws {
    out.append(literal: "{\"type\":\"STATE\",\"value\":{}}\n")
  }

  private static func type(_ type: ValueType) -> String {
    switch type {
    case .any, .json: "{}"
    case .int: "{\"type\":[\"null\",\"integer\"]}"
    case .number: "{\"type\":[\"null\",\"number\"]}"
    case .bool: "{\"type\":[\"null\",\"boolean\"]}"
    case .text: "{\"type\":[\"null\",\"string\"]}"
    case .instant: "{\"type\":[\"null\",\"string\"],\"format\":\"date-time\"}"
    case .date: "{\"type\":[\"null\",\"string\"],\"format\":\"date\"}"
    case .list: "{\"type\":[\"null\",\"array\"]}"
    }
  }
}
