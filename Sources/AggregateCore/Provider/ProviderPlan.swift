/// How a provider will ask, as far as it is known without asking; has no secrets in it.
public struct ProviderPlan: Sendable, Hashable {
  /// How the pages of a partition follow each other.
  public struct Paging: Sendable, Hashable {
    /// A named value.
    public struct Parameter: Sendable, Hashable {
      /// The name, as in the options of the provider.
      public let name: String
      /// The value.
      public let value: String

      /// Creates a parameter.
      public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }

    /// How it is done, such as `page` or `cursor`.
    public let kind: String
    /// What says how in detail, in order.
    public let parameters: [Parameter]
    /// What makes a page the last one; any of these.
    public let ends: [String]
    /// The most pages, when the paging itself says so.
    public let maxPages: Int?

    /// Creates a description.
    public init(kind: String, parameters: [Parameter], ends: [String], maxPages: Int? = nil) {
      self.kind = kind
      self.parameters = parameters
      self.ends = ends
      self.maxPages = maxPages
    }
  }

  /// One of the values by which a source is asked part by part.
  public struct Key: Sendable, Hashable {
    /// Where its values come from.
    public enum Origin: Sendable, Hashable {
      /// They are written out.
      case list
      /// Whole numbers.
      case range(from: Int, to: Int, step: Int)
      /// The lines of a file.
      case file(String)
      /// A column of another source, one value per row.
      case source(String, column: String)
    }

    /// The name that templates have for it.
    public let name: String
    /// Where its values come from.
    public let origin: Origin
    /// How many values there are; nil when that is known only later.
    public let count: Int?
    /// How many values go into one request.
    public let batch: Int

    /// Creates a description.
    public init(name: String, origin: Origin, count: Int?, batch: Int = 1) {
      self.name = name
      self.origin = origin
      self.count = count
      self.batch = max(1, batch)
    }

    /// How many parts its values make.
    public var parts: Int? { count.map { $0 / batch + ($0 % batch == 0 ? 0 : 1) } }
  }

  /// How pages follow each other; nil when the provider does not say.
  public var paging: Paging?
  /// The values by which the source is asked part by part, the first one varying slowest.
  public var keys: [Key] = []
  /// Whether all partitions are those of ``keys``.
  public var knowsPartitions = false
  /// The kinds of authentication; several when they take turns.
  public var authentication: [String] = []

  /// Of several services that stand in for each other: their names and hosts, in the order they are asked.
  public var services: [String] = []

  /// Whether it asks no service, so that nothing of requests concerns it.
  public var isLocal: Bool

  /// Nothing more is known.
  public init(isLocal: Bool = false) { self.isLocal = isLocal }

  /// How many partitions there are; nil when that is known only later.
  public var partitions: Int? {
    guard knowsPartitions else { return nil }
    var product = 1
    for key in keys {
      guard let parts = key.parts else { return nil }
      let (next, overflow) = product.multipliedReportingOverflow(by: parts)
      if overflow { return nil }
      product = next
    }
    return product
  }
}
