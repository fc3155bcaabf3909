public import AggregateCore

/// The formats that this program knows, by name. Instantiable, for tests.
public struct FormatRegistry: Sendable {
  /// All formats, in the order they are listed.
  public let formats: [FormatSpec]

  /// Creates a registry; names must be unique.
  public init(_ formats: [FormatSpec] = FormatRegistry.standard) { self.formats = formats }

  /// The formats of this module; those of other modules are added to them.
  public static let standard = [
    CSVFormat.spec,
    TSVFormat.spec,
    JSONFormat.spec,
    NDJSONFormat.spec,
    TableWriter.spec,
    MarkdownWriter.spec,
    VerticalWriter.spec,
    YAMLWriter.spec,
    HTMLWriter.spec,
    ChartWriter.spec,
    XLSXWriter.spec,
    ParquetFormat.spec,
    SingerWriter.spec,
  ]

  /// The names, in order.
  public var names: [String] { formats.map(\.name) }

  /// The format of this name.
  public subscript(name: String) -> FormatSpec? { formats.first { $0.name == name } }

  /// The format that the extension of `path` stands for; `.gz` and `.zst` behind it are passed over.
  public func format(forPath path: String) -> FormatSpec? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if let last = parts.last, ["gz", "gzip", "zst"].contains(last) { parts.removeLast() }
    guard parts.count > 1, let last = parts.last else { return nil }
    return formats.first { $0.extensions.contains(String(last)) }
  }

  /// The format to write, by name.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there is none or it is only read.
  public func writable(_ name: String) throws -> FormatSpec {
    let candidates = formats.filter(\.canWrite).map(\.name)
    guard let format = self[name] else {
      throw AggregateError(
        .configuration, "unknown format “\(name)”",
        hint: Suggestions.hint(for: name, in: candidates))
    }
    guard format.canWrite else {
      throw AggregateError(
        .configuration, "the format “\(name)” can be read but not written",
        hint: "written are \(candidates.joined(separator: ", "))")
    }
    return format
  }

  /// The encoder of a format, for formats whose batches can be encoded side by side; else nil.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there is no such format to write.
  public func encoder(named name: String, _ options: OutputOptions) throws -> (any BatchEncoder)? {
    guard case .encoder(let make) = try writable(name).writing else { return nil }
    return make(options)
  }

  /// The writer of a format.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there is no such format to write, or
  ///   when this build lacks what it needs.
  public func writer(named name: String, _ options: OutputOptions) throws -> any Writer {
    switch try writable(name).writing {
    case .encoder(let make): return EncodingWriter(make(options))
    case .writer(let make): return try make(options)
    case nil: throw AggregateError(.internal, "the format “\(name)” has no writer")
    }
  }
}
