internal import AggregateFormats

/// XML, read as nested values.
enum XMLFormat {
  static let spec = FormatSpec(
    "xml", "XML elements as nested values.", extensions: ["xml"], isFlat: false,
    reading: .json { bytes in try XMLRecords.json(from: bytes) })
}
