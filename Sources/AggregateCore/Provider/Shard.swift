/// A part of a source that can be read on its own, on another machine too.
///
/// It is told by options that stand in the place of declared ones: reading the source with them reads
/// the part. The parts of a source together give its rows, in order.
public struct Shard: Sendable, Hashable {
  /// An option with its value as JSON text.
  public struct Setting: Sendable, Hashable {
    /// The name of the option.
    public let name: String
    /// The value.
    public let json: String

    /// Creates a setting.
    public init(_ name: String, json: String) {
      self.name = name
      self.json = json
    }
  }

  /// The options that are set; none for the whole source.
  public let settings: [Setting]

  /// Creates a shard.
  public init(_ settings: [Setting]) { self.settings = settings }

  /// The whole source, for one that can't be divided.
  public static let whole = Shard([])

  /// Divides `items` into at most `count` runs that differ in length by at most one; none is empty.
  public static func runs<T>(of items: [T], count: Int) -> [[T]] {
    let parts = min(max(1, count), items.count)
    guard parts > 0 else { return [] }
    return (0..<parts).map { part in
      Array(items[(items.count * part / parts)..<(items.count * (part + 1) / parts)])
    }
  }
}

/// A provider whose sources can be divided.
public protocol ShardableProvider: Provider {
  /// At most `count` parts that are about equally large.
  ///
  /// May ask the source, and sources that it takes values from, for what there is to divide.
  func shards(_ count: Int, _ context: ProviderContext) async throws -> [Shard]
}

extension Shard.Setting {
  /// An option that is a list of texts.
  public init(_ name: String, texts: [String]) {
    self.init(name, json: "[" + texts.map(EscapedText.quoted).joined(separator: ",") + "]")
  }
}
