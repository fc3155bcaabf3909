public import AggregateCore
internal import AggregateJSON

/// Opens inputs of every format that can be read: finds compression, encoding and format, then columns.
public struct InputOpener: Sendable {
  private let registry: FormatRegistry
  private let bodyReaders: [String: BodyReader]

  /// Creates an opener.
  ///
  /// - Parameter bodyReaders: Readers of whole documents, by format name (`feed`, `xml`).
  public init(registry: FormatRegistry = FormatRegistry(), bodyReaders: [String: BodyReader] = [:])
  {
    self.registry = registry
    self.bodyReaders = bodyReaders
  }

  /// The names of the formats that can be read.
  public var readableFormats: [String] { registry.formats.filter(\.canRead).map(\.name) }

  /// Opens a file.
  ///
  /// - Throws: ``AggregateError`` when it cannot be read, or is not what it should be.
  public func open(
    path: String, _ options: InputOptions, log: RunLog
  ) async throws -> OpenedInput {
    try await open(DescriptorSource(path: path), name: path, options, log: log)
  }

  /// Opens the bytes of `source`. An empty input has no columns and no rows.
  ///
  /// - Parameter name: A path or an address: its extension may tell the format, and messages name it.
  /// - Throws: ``AggregateError`` when it cannot be read, or is not what it should be.
  public func open(
    _ source: any ByteSource, name: String, _ options: InputOptions, log: RunLog
  ) async throws -> OpenedInput {
    let wanted = try declaredFormat(options)
    var (block, source) = try await peek(source, options)
    if let inflating = try Decompression.source(of: block, source, name: name, options) {
      (block, source) = try await peek(inflating, options)
    }
    if let transcoding = Transcoding.source(of: block, source, options.encoding) {
      (block, source) = try await peek(transcoding, options)
    }
    if wanted == nil { (block, source) = try await settled(block, source, options) }
    let isEmpty = block.isLast && block.buffer.count == 0
    let format = wanted ?? detected(block, name: name)
    if isEmpty {
      let declared = options.columns.map { ColumnSelection($0).output } ?? options.schema
      return .ready(format, declared ?? Schema([]), [])
    }
    switch format {
    case "csv", "tsv":
      return try await CSVInput(name: name, format: format, options: options, log: log)
        .open(source)
    case "json", "ndjson":
      return try await openJSON(source, format, block, name, options, log)
    default:
      return try await openBody(source, format, name, options, log)
    }
  }

  private func declaredFormat(_ options: InputOptions) throws -> String? {
    guard let name = options.format, name != "auto" else { return nil }
    guard let format = registry[name], format.canRead else {
      throw AggregateError(
        .configuration,
        registry[name] == nil
          ? "unknown format “\(name)”" : "the format “\(name)” can be written but not read",
        hint: Suggestions.hint(for: name, in: readableFormats))
    }
    return name
  }

  /// The first block, of at least four bytes where there are as many, and a source that begins with it.
  private func peek(
    _ source: any ByteSource, _ options: InputOptions
  ) async throws -> (ByteBlock, any ByteSource) {
    var block = ByteBlock(.empty, isLast: false)
    repeat {
      block = try await source.read(
        behind: RestOfBlock(block.buffer, 0..<block.buffer.count),
        maximum: max(4, options.blockSize), patience: .zero)
    } while !block.isLast && block.buffer.count < 4
    return (block, PeekedSource(block, source))
  }

  /// As much of the first block as it takes to tell the format, so that a slow pipe is told like a file.
  private func settled(
    _ block: ByteBlock, _ source: any ByteSource, _ options: InputOptions
  ) async throws -> (ByteBlock, any ByteSource) {
    let limit = max(4, options.blockSize)
    func isOpen(_ block: ByteBlock) -> Bool {
      !block.isLast && block.buffer.count < limit
        && block.buffer.withUnsafeBytes(FormatDetection.isOpen)
    }
    guard isOpen(block) else { return (block, source) }
    var whole = try await source.read(behind: .none, maximum: limit, patience: .zero)
    while isOpen(whole) {
      whole = try await source.read(
        behind: RestOfBlock(whole.buffer, 0..<whole.buffer.count),
        maximum: limit - whole.buffer.count, patience: .zero)
    }
    return (whole, PeekedSource(whole, source))
  }

  private func detected(_ block: ByteBlock, name: String) -> String {
    let named = registry.format(forPath: name).flatMap { $0.canRead ? $0.name : nil }
    // A file of either name may hold one document or many; what is in it decides.
    if let named, named != "json" && named != "xml" { return named }
    return block.buffer.withUnsafeBytes {
      named == "json" ? FormatDetection.jsonFormat(of: $0) : FormatDetection.format(of: $0)
    }
  }

  private func openJSON(
    _ source: any ByteSource, _ format: String, _ block: ByteBlock, _ name: String,
    _ options: InputOptions, _ log: RunLog
  ) async throws -> OpenedInput {
    if format == "json", options.records?.text == "$[*]", isArray(block) {
      return try await JSONInput(name: name, format: format, options: options, log: log)
        .open(source, mode: .array)
    }
    if let path = options.records, path.text != "$" {
      let mode: JSONChunker.Mode = format == "json" ? .single : .documents
      return try await JSONPathInput(
        name: name, format: format, path: path, options: options, log: log
      ).open(source, mode: mode)
    }
    let mode: JSONChunker.Mode =
      format == "ndjson" ? .documents : options.records == nil ? .arrayOrSingle : .single
    return try await JSONInput(name: name, format: format, options: options, log: log)
      .open(source, mode: mode)
  }

  /// Whether the outermost value is an array, whose elements can be streamed.
  private func isArray(_ block: ByteBlock) -> Bool {
    block.buffer.withUnsafeBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return bytes[start...].first { ![32, 9, 10, 13].contains($0) } == UInt8(ascii: "[")
    }
  }

  private func openBody(
    _ source: any ByteSource, _ format: String, _ name: String, _ options: InputOptions,
    _ log: RunLog
  ) async throws -> OpenedInput {
    guard let reader = bodyReaders[format] else {
      throw AggregateError(
        .configuration, "\(name): there is no reader for the format “\(format)”",
        hint: "read are \(readableFormats.joined(separator: ", "))")
    }
    var whole = ByteBlock(.empty, isLast: false)
    while !whole.isLast {
      if whole.buffer.count > Cell.maximumLength {
        throw AggregateError(
          .limit, "\(name): a document of the format \(format) may have \(Cell.maximumLength) bytes"
        )
      }
      whole = try await source.read(
        behind: RestOfBlock(whole.buffer, 0..<whole.buffer.count),
        maximum: max(options.blockSize, whole.buffer.count), patience: .zero)
    }
    switch reader {
    case .rows(let read):
      let batches = try named(name) { try read(whole.buffer, name, log) }
      guard let schema = batches.first?.schema else { return .ready(format, Schema([]), []) }
      guard let columns = options.columns else { return .ready(format, schema, batches) }
      let selection = ColumnSelection(columns)
      let taking = try selection.taken(from: schema, name: name)
      return .ready(format, selection.output, batches.map(taking))
    case .json(let convert):
      let json = try named(name) { try convert(whole.buffer) }
      var options = options
      options.blockSize = max(options.blockSize, json.count)
      let block = ByteBlock(json, isLast: true)
      return try await openJSON(MemorySource(json), "json", block, name, options, log)
    }
  }

  /// The result of `body`; an error of it names the input.
  private func named<R>(_ name: String, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch var error as AggregateError {
      if error.location != nil {
        error.location?.file = name
      } else if !error.message.contains(name) {
        error.message = "\(name): \(error.message)"
      }
      throw error
    }
  }
}
