internal import AggregateCore

/// Comma-separated values.
enum CSVFormat {
  static let spec = FormatSpec(
    "csv", "Comma-separated values by RFC 4180.", extensions: ["csv"], isFlat: true,
    reading: .stream { try await CSVInput($0).open() },
    writing: .encoder { CSVEncoder($0.dialect) },
    notes: [
      "A record is malformed when it has the wrong number of cells (unless `--ragged`), when text "
        + "follows the closing quote of a cell, or when a quote is never closed.",
      "With `--on-error skip` reading goes on at the end of the malformed record. A quote opens only "
        + "at the beginning of a cell, and what it encloses may have line ends; text behind a "
        + "closing quote is read like an unquoted cell; a quote that is never closed takes the "
        + "rest of the input as one record. So what survives depends on the bytes alone.",
    ])
}
