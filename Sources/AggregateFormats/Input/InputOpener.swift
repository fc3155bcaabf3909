public import AggregateCore

/// Opens inputs of every format that can be read: finds compression, encoding and format, then columns.
public struct InputOpener: Sendable {
  private let registry: FormatRegistry

  /// Creates an opener.
  public init(registry: FormatRegistry = FormatRegistry()) { self.registry = registry }

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
    return try await read(
      FormatInput(
        source: source, first: block, format: format, name: name, options: options, log: log))
  }

  private func read(_ input: FormatInput) async throws -> OpenedInput {
    switch registry[input.format]?.reading {
    case .stream(let open): return try await open(input)
    case .rows(let read):
      let document = try await input.document()
      let batches = try input.named { try read(document, input.name, input.log) }
      guard let schema = batches.first?.schema else {
        return .ready(input.format, Schema([]), [])
      }
      guard let columns = input.options.columns else {
        return .ready(input.format, schema, batches)
      }
      let selection = ColumnSelection(columns)
      let taking = try selection.taken(from: schema, name: input.name)
      return .ready(input.format, selection.output, batches.map(taking))
    case .json(let convert):
      let document = try await input.document()
      let json = try input.named { try convert(document) }
      var options = input.options
      options.blockSize = max(options.blockSize, json.count)
      return try await JSONOpening.open(
        FormatInput(
          source: MemorySource(json), first: ByteBlock(json, isLast: true), format: "json",
          name: input.name, options: options, log: input.log))
    case nil:
      throw AggregateError(
        .configuration, "\(input.name): there is no reader for the format “\(input.format)”",
        hint: "read are \(readableFormats.joined(separator: ", "))")
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
}
