internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The values that a source asks for, one request (or one run of pages) each.
struct ForEach: Sendable {
  enum Origin: Sendable {
    case list([Item])
    case range(from: Int, to: Int, step: Int)
    case file(path: String, location: SourceLocation)
    /// A column of another source, and further columns that come along under names of their own.
    case source(LocatedText, column: LocatedText, with: [(name: String, column: LocatedText)])
  }

  /// One value, and what else templates take while it is asked for.
  struct Item: Sendable {
    var value: String
    var with: [String: String] = [:]
  }

  struct Key: Sendable {
    let name: String
    let origin: Origin
    let batch: Int
    let separator: String

    /// The names that its values give to templates.
    var names: [String] {
      switch origin {
      case .list(let items): [name] + Set(items.flatMap(\.with.keys)).sorted()
      case .source(_, _, let with): [name] + with.map(\.name)
      case .range, .file: [name]
      }
    }
  }

  let keys: [Key]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    keys = (options.entries("for_each") ?? []).compactMap { Self.key($0, &diagnostics) }
  }

  private static func key(_ entry: Node.Entry, _ diagnostics: inout Diagnostics) -> Key? {
    guard entry.value.mapping != nil else {
      let values = items(entry.value, of: entry.key, &diagnostics)
      return Key(name: entry.key, origin: .list(values), batch: 1, separator: ",")
    }
    let options = Options(
      entry.value,
      specs: [OptionSpec("join", .text, default: ",", ""), OptionSpec("batch", .text, "")])
    let origin: Origin
    if let list = options.given("list") {
      origin = .list(items(list, of: entry.key, &diagnostics))
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
      origin = .source(source, column: column, with: with(options.given("with")))
    } else {
      return nil
    }
    if let with = options.given("with") {
      if case .source = origin {
      } else {
        diagnostics.error(
          "with", "“for_each.\(entry.key).with” names columns of a source, and there is none",
          at: with.location, hint: "write the values of a list as { \(entry.key): …, NAME: … }")
      }
    }
    let key = Key(
      name: entry.key, origin: origin, batch: options.int("batch") ?? 1,
      separator: options.text("join") ?? ",")
    if key.batch > 1, key.names.count > 1 {
      diagnostics.error(
        "with",
        "“for_each.\(entry.key)”: with “batch”, one value of “\(key.names[1])” stands for many",
        at: entry.value.location, hint: "leave out one of them")
    }
    return key
  }

  /// The values of a list; one that is a mapping gives several names a value.
  private static func items(
    _ node: Node, of key: String, _ diagnostics: inout Diagnostics
  ) -> [Item] {
    (node.sequence ?? [node]).map { element in
      guard let mapping = element.mapping else { return Item(value: element.scalar?.text ?? "") }
      var item = Item(value: "")
      var hasValue = false
      for entry in mapping {
        let text = entry.value.scalar?.text ?? ""
        if entry.key == key {
          item.value = text
          hasValue = true
        } else {
          item.with[entry.key] = text
        }
      }
      if !hasValue {
        diagnostics.error(
          "missing-key", "“for_each.\(key)”: a value has no “\(key)”", at: element.location,
          hint: "write { \(key): …, NAME: … }")
      }
      return item
    }
  }

  private static func with(_ node: Node?) -> [(name: String, column: LocatedText)] {
    guard let node else { return [] }
    if let mapping = node.mapping {
      return mapping.compactMap { entry in
        LocatedText(entry.value).map { (entry.key, $0) }
      }
    }
    return (node.sequence ?? [node]).compactMap { element in
      LocatedText(element).map { ($0.text, $0) }
    }
  }

  /// What tells a part from another one between runs: `repo=a&state=open`; empty for the only one.
  func name(of values: [String: String]) -> String {
    keys.map { "\($0.name)=\(values[$0.name] ?? "")" }.joined(separator: "&")
  }

  /// The sources that values come from.
  var sources: [LocatedText] {
    keys.compactMap { if case .source(let name, _, _) = $0.origin { name } else { nil } }
  }

  /// Yields the parts in order; the first key varies slowest.
  func parts(
    _ context: ProviderContext, _ yield: (RESTPart) async throws -> Void
  ) async throws {
    guard let first = keys.first else {
      return try await yield(RESTPart(values: context.parameters))
    }
    var rest: [(Key, [Item])] = []
    for key in keys.dropFirst() { rest.append((key, try await self.items(of: key, context))) }
    try await items(of: first, context) { item in
      try await combine(rest[...], Self.add(item, of: first, to: context.parameters)) { values in
        try await yield(RESTPart(values: values))
      }
    }
  }

  private static func add(
    _ item: Item, of key: Key, to values: [String: String]
  ) -> [String: String] {
    var values = values
    for (name, value) in item.with { values[name] = value }
    values[key.name] = item.value
    return values
  }

  private func combine(
    _ rest: ArraySlice<(Key, [Item])>, _ values: [String: String],
    _ yield: ([String: String]) async throws -> Void
  ) async throws {
    guard let (key, choices) = rest.first else { return try await yield(values) }
    for choice in choices {
      try await combine(rest.dropFirst(), Self.add(choice, of: key, to: values), yield)
    }
  }

  /// The values of one key, joined in batches.
  func items(of key: Key, _ context: ProviderContext) async throws -> [Item] {
    var items: [Item] = []
    try await self.items(of: key, context) { items.append($0) }
    return items
  }

  private func items(
    of key: Key, _ context: ProviderContext, _ yield: (Item) async throws -> Void
  ) async throws {
    var waiting: [String] = []
    func add(_ value: String) async throws {
      waiting.append(value)
      if waiting.count >= key.batch {
        try await yield(Item(value: waiting.joined(separator: key.separator)))
        waiting = []
      }
    }
    switch key.origin {
    case .list(let items) where key.batch == 1: for item in items { try await yield(item) }
    case .list(let items): for item in items { try await add(item.value) }
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
    case .source(let source, let column, let with):
      let columns = [column] + with.map(\.column)
      for values in try await Self.columns(columns, of: source, context) {
        guard let value = values[0] else { continue }
        if with.isEmpty {
          try await add(value)
          continue
        }
        var item = Item(value: value)
        for (index, column) in with.enumerated() { item.with[column.name] = values[index + 1] }
        try await yield(item)
      }
    }
    if !waiting.isEmpty { try await yield(Item(value: waiting.joined(separator: key.separator))) }
  }

  /// The values of some columns, row by row; nil for null.
  private static func columns(
    _ columns: [LocatedText], of source: LocatedText, _ context: ProviderContext
  ) async throws -> [[String?]] {
    let found = Rows()
    try await context.rows(of: source.text) { batch in
      var places: [Int] = []
      for column in columns {
        let reference = try batch.schema.resolve(column)
        guard reference.subpath.isEmpty else {
          throw DiagnosticsError([
            Diagnostic(
              .error, "unknown-column", "“\(column.text)” lies inside a column",
              at: column.location,
              hint: "select it under a name of its own in “\(source.text)”")
          ])
        }
        places.append(reference.index)
      }
      var rows: [[String?]] = []
      rows.reserveCapacity(batch.rowCount)
      for row in 0..<batch.rowCount {
        rows.append(
          places.map { place in
            let value = batch.columns[place].value(at: row)
            return value.isNull ? nil : value.displayText
          })
      }
      await found.add(rows)
    }
    return await found.all
  }

  private actor Rows {
    var all: [[String?]] = []
    func add(_ rows: [[String?]]) { all += rows }
  }

  /// The lines of a file, without empty ones; its path is relative to the file that names it.
  static func lines(_ path: String, _ location: SourceLocation) throws -> [String] {
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
  /// How many parts a plan shows.
  private static let planned = 20

  /// The values of the first parts, as far as they are known without asking; those that another
  /// source gives stand as their placeholder.
  func planned(_ parameters: [String: String]) -> [[String: String]] {
    var all = [parameters]
    for key in keys {
      let items = plannedItems(of: key)
      all = all.flatMap { known in items.map { Self.add($0, of: key, to: known) } }
      all = Array(all.prefix(Self.planned))
    }
    return all
  }

  private func plannedItems(of key: Key) -> [Item] {
    let values: [String]
    switch key.origin {
    case .list(let items):
      if key.batch == 1 { return Array(items.prefix(Self.planned)) }
      values = items.map(\.value)
    case .range(let from, let to, let step):
      values = stride(from: from, through: to, by: step).prefix(Self.planned * key.batch)
        .map { String($0) }
    case .file(let path, let location):
      values = (try? Self.lines(path, location)) ?? ["{\(key.name)}"]
    case .source(_, _, let with):
      return [
        Item(
          value: "{\(key.name)}",
          with: Dictionary(with.map { ($0.name, "{\($0.name)}") }) { first, _ in first })
      ]
    }
    return stride(from: 0, to: values.count, by: key.batch).prefix(Self.planned).map { start in
      Item(
        value: values[start..<min(values.count, start + key.batch)].joined(
          separator: key.separator))
    }
  }
}
