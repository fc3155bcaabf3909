import AggregateCore
import AggregateFeeds
import AggregateFormats
import AggregateJSON

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files and standard input named on the command line, as sources.
enum FileInputs {
  /// Reads every format there is.
  static let opener = InputOpener(registry: DocumentFormats.registry)

  /// Whether there is something under a path.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The absolute form of a path.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") || path.isEmpty { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// One source over all the files, columns by name; standard input when there are none.
  static func source(_ paths: [String], options: RunOptions, log: RunLog) -> RowSource {
    RowSource(
      name: paths.count == 1 ? paths[0] : paths.isEmpty ? "stdin" : "files", schema: nil,
      onError: .fail
    ) { hooks in
      let inputs = try await open(paths, options, log)
      let schema = inputs.count == 1 ? inputs[0].schema : Schema.union(inputs.map(\.schema))
      if options.arguments.has("provenance") {
        return try await emitLabelled(inputs, paths, schema, hooks)
      }
      let demand = try await hooks.publish(schema)
      if inputs.count == 1 { return try await inputs[0].emit(demand: demand, to: hooks.emit) }
      for input in inputs {
        try await input.emit { work in
          try await hooks.emit(adapted(work, to: schema))
        }
      }
    }
  }

  /// The rows with the file that each came from.
  private static func emitLabelled(
    _ inputs: [OpenedInput], _ paths: [String], _ schema: Schema, _ hooks: RowSource.Hooks
  ) async throws {
    _ = try await hooks.publish(Provenance.schema(schema))
    for (index, input) in inputs.enumerated() {
      let name = index < paths.count ? paths[index] : "stdin"
      try await input.emit { work in
        try await hooks.emit(Provenance.label(adapted(work, to: schema), nil, source: name))
      }
    }
  }

  private static func open(
    _ paths: [String], _ options: RunOptions, _ log: RunLog
  ) async throws -> [OpenedInput] {
    let settings = try inputOptions(options)
    guard !paths.isEmpty, paths != ["-"] else {
      let source = DescriptorSource(0, name: "<stdin>", closes: false)
      return [try await opener.open(source, name: "<stdin>", settings, log: log)]
    }
    var inputs: [OpenedInput] = []
    for path in paths {
      inputs.append(try await opener.open(path: path, settings, log: log))
    }
    return inputs
  }

  private static func adapted(_ work: Work, to schema: Schema) -> Work {
    .deferred {
      var decoded: Decoded
      switch work {
      case .batch(let batch): decoded = Decoded(batches: [batch])
      case .deferred(let decode): decoded = decode()
      }
      do {
        decoded.batches = try decoded.batches.map { try $0.adapted(to: schema) }
      } catch {
        decoded = Decoded(batches: [], failure: error)
      }
      return decoded
    }
  }

  private static func inputOptions(_ options: RunOptions) throws -> InputOptions {
    var settings = InputOptions()
    let arguments = options.arguments
    settings.format = arguments.value("input-format")
    settings.encoding = options.encoding
    if let text = arguments.value("records") {
      do {
        settings.records = try JSONPath(parsing: text)
      } catch {
        throw DiagnosticsError([
          Diagnostic(
            .error, "syntax", "--records: \(error.message)",
            at: SourceLocation(
              file: "<command line>", line: 1, column: 11 + error.offset,
              text: "--records \(text)"), hint: error.hint)
        ])
      }
    }
    settings.dialect = try OutputFactory.dialect(options)
    settings.hasDelimiter = arguments.value("delimiter") != nil
    // What is written without a header or with other nulls need not be read so.
    settings.dialect.hasHeader = true
    settings.skipsMalformed = options.onError == .skip
    return settings
  }
}
