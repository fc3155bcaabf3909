internal import AggregateCore

/// Tab-separated values.
enum TSVFormat {
  static let spec = FormatSpec(
    "tsv", "Tab-separated values; tabs and line ends in values are escaped with a backslash.",
    extensions: ["tsv", "tab"], isFlat: true,
    reading: .stream { try await CSVInput($0).open() },
    writing: .encoder { TSVEncoder($0.dialect) })
}
