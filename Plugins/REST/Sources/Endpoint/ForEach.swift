internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A part of the source: the values that its templates take.
struct RESTPartition: Sendable {
  /// Its number, from 0, in the order of the rows.
  let index: Int
  /// The values, by name.
  let values: [String: String]

  /// The same part with what the templates take of a window.
  func `in`(_ window: IncrementalWindow) -> RESTPartition {
    var values = values
    values["since"] = window.since
    values["until"] = window.until
    return RESTPartition(index: index, values: values)
  }
}

/// The values that a source asks for, one request (or one run of pages) each.
struct ForEach: Sendable {
  enum Origin: Sendable {
    case list([String])
    case range(from: Int, to: Int, step: Int)
    case file(path: String, location: SourceLocation)
    case source(LocatedText, column: LocatedText)
  }

  struct Key: Sendable {
    let name: String
    let origin: Origin
    let batch: Int
    let separator: String
  }

  let keys: [Key]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    keys = (options.entries("for_each") ?? []).compactMap { Self.key($0, &diagnostics) }
  }

  private static func key(_ entry: Node.Entry, _ diagnostics: inout Diagnostics) -> Key? {
    guard entry.value.mapping != nil else {
      let values = (entry.value.sequence ?? [entry.value]).map { $0.scalar?.text ?? "" }
      return Key(name: entry.key, origin: .list(values), batch: 1, separator: ",")
    }
    let options = Options(
      entry.value,
      specs: [OptionSpec("join", .text, default: ",", ""), OptionSpec("batch", .text, "")])
    let origin: Origin
    if let list = options.texts("list") {
      origin = .list(list)
    } else if let range = options.options("range", specs: RESTOptions.range),
      let from = range.int("from"), let to = range.int("to")
    {
      origin = .range(from: from, to: to, step: max(1, range.int("step") ?? 1))
    } else if let path = options.text("file") {
      origin = .file(path: path, location: options.location("file"))
    } else if let source = options.given("source").flatMap({ LocatedText($0) }) {
      guard let column = options.given("column").flatMap({ LocatedText($0) }) else {
        diagnostics.error(
          "missing-key", "“for_each.\(entry.key)”: the key “column” is missing",
          at: entry.value.location, hint: "it names the column of “\(source.text)”")
        return nil
      }
      origin = .source(source, column: column)
    } else {
      return nil
    }
    return Key(
      name: entry.key, origin: origin, batch: options.int("batch") ?? 1,
      separator: options.text("join") ?? ",")
  }

  /// What tells a partition from another one between runs: `repo=a&state=open`; empty for the only one.
  func name(of values: [String: String]) -> String {
    keys.map { "\($0.name)=\(values[$0.name] ?? "")" }.joined(separator: "&")
  }

  /// The sources that values come from.
  var sources: [LocatedText] {
    keys.compactMap { if case .source(let name, _) = $0.origin { name } else { nil } }
  }

  /// Yields the partitions in order; the first key varies slowest.
  func partitions(
    _ context: ProviderContext, _ yield: (RESTPartition) async throws -> Void
  ) async throws {
    guard let first = keys.first else {
      return try await yield(RESTPartition(index: 0, values: context.parameters))
    }
    var rest: [(Key, [String])] = []
    for key in keys.dropFirst() {
      var values: [String] = []
      try await self.values(of: key, context) { values.append($0) }
      rest.append((key, values))
    }
    var index = 0
    try await values(of: first, context) { value in
      var values = context.parameters
      values[first.name] = value
      try await combine(rest[...], values) { values in
        try await yield(RESTPartition(index: index, values: values))
        index += 1
      }
    }
  }

  private func combine(
    _ rest: ArraySlice<(Key, [String])>, _ values: [String: String],
    _ yield: ([String: String]) async throws -> Void
  ) async throws {
    guard let (key, choices) = rest.first else { return try await yield(values) }
    for choice in choices {
      var values = values
      values[key.name] = choice
      try await combine(rest.dropFirst(), values, yield)
    }
  }

  /// The values of one key, joined in batches.
  func values(
    of key: Key, _ context: ProviderContext, _ yield: (String) async throws -> Void
  ) async throws {
    var waiting: [String] = []
    func add(_ value: String) async throws {
      waiting.append(value)
      if waiting.count >= key.batch {
        try await yield(waiting.joined(separator: key.separator))
        waiting = []
      }
    }
    switch key.origin {
    case .list(let values): for value in values { try await add(value) }
    case .range(let from, let to, let step):
      var next = from
      while next <= to {
        try await add(String(next))
        let (sum, overflow) = next.addingReportingOverflow(step)
        if overflow { break }
        next = sum
      }
    case .file(let path, let location):
      for value in try Self.lines(path, location) { try await add(value) }
    case .source(let source, let column):
      for value in try await Self.column(column, of: source, context) { try await add(value) }
    }
    if !waiting.isEmpty { try await yield(waiting.joined(separator: key.separator)) }
  }

  private static func column(
    _ column: LocatedText, of source: LocatedText, _ context: ProviderContext
  ) async throws -> [String] {
    let found = Values()
    try await context.rows(of: source.text) { batch in
      let reference = try batch.schema.resolve(column)
      guard reference.subpath.isEmpty else {
        throw DiagnosticsError([
          Diagnostic(
            .error, "unknown-column", "“\(column.text)” lies inside a column", at: column.location,
            hint: "select it under a name of its own in “\(source.text)”")
        ])
      }
      let values = batch.columns[reference.index]
      await found.add(
        (0..<batch.rowCount).compactMap { row in
          let value = values.value(at: row)
          return value.isNull ? nil : value.displayText
        })
    }
    return await found.all
  }

  private actor Values {
    var all: [String] = []
    func add(_ values: [String]) { all += values }
  }

  /// The lines of a file, without empty ones; its path is relative to the file that names it.
  fileprivate static func lines(_ path: String, _ location: SourceLocation) throws -> [String] {
    var full = path
    if !path.hasPrefix("/"), let slash = location.file.lastIndex(of: "/") {
      full = "\(location.file[..<slash])/\(path)"
    }
    guard let file = fopen(full, "re") else {
      throw AggregateError(
        .configuration, "“\(full)” can't be read: \(String(cString: strerror(errno)))",
        location: location)
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
      .split(whereSeparator: \.isNewline).map { line in
        var line = line
        while line.first?.isWhitespace == true { line.removeFirst() }
        while line.last?.isWhitespace == true { line.removeLast() }
        return String(line)
      }.filter { !$0.isEmpty }
  }
}

extension ForEach {
  /// How many partitions a plan shows.
  private static let planned = 20

  /// The values of the first partitions, as far as they are known without asking; those that another
  /// source gives stand as their placeholder.
  func planned(_ parameters: [String: String]) -> [[String: String]] {
    var all = [parameters]
    for key in keys {
      let values = plannedValues(of: key)
      all = all.flatMap { known in
        values.map { value in
          var values = known
          values[key.name] = value
          return values
        }
      }
      all = Array(all.prefix(Self.planned))
    }
    return all
  }

  private func plannedValues(of key: Key) -> [String] {
    let values: [String]
    switch key.origin {
    case .list(let list): values = list
    case .range(let from, let to, let step):
      values = stride(from: from, through: to, by: step).prefix(Self.planned * key.batch)
        .map { String($0) }
    case .file(let path, let location):
      values = (try? Self.lines(path, location)) ?? ["{\(key.name)}"]
    case .source: return ["{\(key.name)}"]
    }
    return stride(from: 0, to: values.count, by: key.batch).prefix(Self.planned).map { start in
      values[start..<min(values.count, start + key.batch)].joined(separator: key.separator)
    }
  }
}
