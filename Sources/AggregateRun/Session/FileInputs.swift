package import AggregateCore
import AggregateFeeds
package import AggregateFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files and standard input named on the command line, as sources.
package enum FileInputs {
  /// Reads every format there is.
  package static let opener = InputOpener(registry: DocumentFormats.registry)

  /// Whether there is something under a path.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The absolute form of a path.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") || path.isEmpty { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// One source over all the files, columns by name; standard input when there are none.
  package static func source(
    _ paths: [String], _ settings: RunSettings, log: RunLog
  ) -> RowSource {
    RowSource(
      name: paths.count == 1 ? paths[0] : paths.isEmpty ? "stdin" : "files", schema: nil,
      onError: .fail
    ) { hooks in
      let inputs = try await open(paths, settings.input, log)
      let schema = inputs.count == 1 ? inputs[0].schema : Schema.union(inputs.map(\.schema))
      if settings.hasProvenance {
        return try await emitLabelled(inputs, paths, schema, hooks)
      }
      let demand = try await hooks.publish(schema)
      if inputs.count == 1 {
        return try await inputs[0].emit(demand: demand) { try await hooks.emit(Emission($0)) }
      }
      for input in inputs {
        try await input.emit { work in
          try await hooks.emit(Emission(adapted(work, to: schema)))
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
        let rows = Emission(adapted(work, to: schema))
        try await hooks.emit(rows.of(Provenance.label(rows, source: name)))
      }
    }
  }

  private static func open(
    _ paths: [String], _ settings: InputOptions, _ log: RunLog
  ) async throws -> [OpenedInput] {
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
}
