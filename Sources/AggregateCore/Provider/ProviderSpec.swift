/// The description of a provider: validation, help, JSON Schema, reference and tests derive from it.
public struct ProviderSpec: Sendable {
  /// A recorded answer, bundled so that a first run needs no key and no network.
  public struct Sample: Sendable {
    /// What the address (without the scheme) must contain for this sample to answer, all of it; see ``answers(_:)``.
    public let matching: [String]
    /// The `Content-Type` of the answer.
    public let contentType: String
    /// The body.
    public let body: @Sendable () -> [UInt8]

    /// Creates a sample.
    public init(
      matching: [String], contentType: String = "application/json",
      body: @escaping @Sendable () -> [UInt8]
    ) {
      self.matching = matching
      self.contentType = contentType
      self.body = body
    }
  }

  /// The name, as in `provider: NAME`.
  public let name: String
  /// One sentence that says what it gives.
  public let summary: String
  /// The options beside those common to every source.
  public let options: [OptionSpec]
  /// The columns that it may give, with types, units and descriptions; empty when the data decide.
  public let columns: [ColumnSpec]
  /// Some paragraphs for the reference page.
  public let discussion: String
  /// A complete example of a source, as YAML.
  public let example: String
  /// Recorded answers for `--sample`; the first that matches a request answers it.
  public let samples: [Sample]

  /// Creates a description.
  public init(
    _ name: String, _ summary: String, options: [OptionSpec], columns: [ColumnSpec] = [],
    discussion: String = "", example: String, samples: [Sample] = []
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.columns = columns
    self.discussion = discussion
    self.example = example
    self.samples = samples
  }
}
