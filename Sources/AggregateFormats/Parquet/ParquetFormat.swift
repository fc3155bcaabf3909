internal import AggregateCore

/// Parquet, which this build cannot write.
enum ParquetFormat {
  static let spec = FormatSpec(
    "parquet", "Parquet, written by DuckDB when that is installed.", extensions: ["parquet"],
    isFlat: true,
    writing: .writer { _ in
      throw AggregateError(
        .configuration, "this build cannot write parquet: DuckDB is not available to it",
        hint: "write ndjson or csv, and let DuckDB copy it to parquet")
    })
}
