import AggregateCore
import AggregateFormats
import Foundation
import Synchronization
import Testing

/// What opening and reading an input gave.
struct Reading {
  var schema = Schema([])
  var format = ""
  var batches: [Batch] = []
  var failure: (any Error)?
  var warnings: [String] = []

  var rows: [[Value]] { batches.flatMap { batch in (0..<batch.rowCount).map(batch.row) } }
  var message: String { failure.map { "\($0)" } ?? "" }
}

enum Fixture {
  static let sizes = [1, 2, 3, 7, 1024, 4096]

  /// Reads `bytes`, handed out `block` at a time, decoded in order.
  static func read(
    _ bytes: [UInt8], name: String = "input", block: Int = 512 * 1024, batch: Int = 4096,
    demand: ColumnDemand = .all, _ configure: (inout InputOptions) -> Void = { _ in }
  ) async -> Reading {
    var options = InputOptions()
    options.blockSize = block
    options.batchRows = batch
    configure(&options)
    let log = RunLog(level: .quiet, isStrict: false) { _ in }
    let collected = Mutex(Reading())
    do {
      let input = try await InputOpener().open(
        MemorySource(ByteBuffer(bytes), step: block), name: name, options, log: log)
      collected.withLock {
        $0.schema = input.schema
        $0.format = input.format
      }
      try await input.emit(demand: demand) { work in
        let decoded: Decoded
        switch work {
        case .batch(let batch): decoded = Decoded(batches: [batch])
        case .deferred(let decode): decoded = decode()
        }
        collected.withLock { $0.batches += decoded.batches }
        if let failure = decoded.failure { throw failure }
      }
    } catch {
      collected.withLock { $0.failure = error }
    }
    collected.withLock { $0.warnings = log.warnings }
    return collected.withLock { $0 }
  }

  static func read(
    _ text: String, name: String = "input", block: Int = 512 * 1024, batch: Int = 4096,
    demand: ColumnDemand = .all, _ configure: (inout InputOptions) -> Void = { _ in }
  ) async -> Reading {
    await read(
      Array(text.utf8), name: name, block: block, batch: batch, demand: demand, configure)
  }

  /// The rows of `batches` in `format`.
  static func write(
    _ schema: Schema, _ batches: [Batch], as format: String,
    _ options: OutputOptions = OutputOptions()
  ) throws -> String {
    let writer = try FormatRegistry().writer(named: format, options)
    var out = ByteBuilder()
    try writer.begin(schema, into: &out)
    for batch in batches { try writer.write(batch, into: &out) }
    try writer.finish(into: &out)
    return String(decoding: out.copy(), as: UTF8.self)
  }

  /// A batch of `rows` under `names`.
  static func batch(_ names: [String], _ rows: [[Value]]) -> Batch {
    var builder = BatchBuilder(schema: Schema(names.map { ColumnSpec($0) }))
    for row in rows {
      for value in row { builder.append(value) }
      builder.endRow()
    }
    return builder.finish()
  }

  static func write(
    _ names: [String], _ rows: [[Value]], as format: String,
    _ options: OutputOptions = OutputOptions()
  ) throws -> String {
    let batch = batch(names, rows)
    return try write(batch.schema, [batch], as: format, options)
  }

  static func csv(_ configure: (inout CSVDialect) -> Void) -> OutputOptions {
    var dialect = CSVDialect()
    configure(&dialect)
    return OutputOptions(dialect: dialect)
  }
}
