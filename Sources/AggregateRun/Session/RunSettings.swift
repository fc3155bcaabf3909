public import AggregateCore
package import AggregateFormats

/// What a run is asked to do, as plain values; every one of them has the meaning of the option of `run`.
public struct RunSettings: Sendable {
  /// How the cache of answers is used.
  public enum CacheUse: Sendable, Equatable {
    /// By the rules of HTTP.
    case normal
    /// Only what is stored; no request is sent.
    case offline
    /// What is stored is asked for anew, and replaced.
    case refresh
    /// Nothing is read from it or written to it.
    case none
  }

  /// Where the report of a run goes.
  package enum Report: Sendable, Equatable {
    /// One line per source in the log.
    case text
    /// One JSON object, told as a line.
    case json
    /// One JSON object in a file.
    case jsonFile(String)
  }

  /// Where rows go, as far as it is said.
  package struct Output: Sendable {
    /// A file, a database or `-`; nil where a pipeline may say it.
    package var path: String?
    /// The name of the format.
    package var format: String?
    /// How CSV is written.
    package var dialect = CSVDialect()
    /// Whether colours may be used on a terminal.
    package var hasColor = false
  }

  /// Most requests under way at once.
  public var jobs = 8
  /// Most pages of one partition; nil for what the source says.
  public var maxPages: Int?
  /// The longest time for one request; nil for what the source says.
  public var timeout: Duration?
  /// What happens when a source fails; nil for what the source or its pipeline says.
  public var onError: ErrorPolicy?
  /// Bytes of memory for stages that keep rows, before they spill to files.
  public var maxMemory = SystemFacts.physicalMemory / 4
  /// How the cache is used.
  public var cache = CacheUse.normal
  /// Whether the samples of the providers answer: no network, no key.
  public var usesSamples = false
  /// A recording (HAR) that answers: no network.
  public var replay: String?
  /// Where every exchange is recorded, without secrets.
  public var record: String?
  /// Whether the columns `_source`, `_url` and `_fetched_at` are added.
  public var hasProvenance = false
  /// Options of the sources and parameters that are set for this run, each with YAML text.
  public var parameters: [(name: String, value: String)] = []
  /// How many rows are wanted, where it is known before the stages are: a hint for providers.
  package var rowLimit: Int?
  /// How standard input and files beside the sources are read.
  package var input = InputOptions()
  /// Where the rows go.
  package var output = Output()
  /// Where the report goes.
  package var report = Report.text
  /// Whether every failure is told; else the first few of each source, and how many more there were.
  package var tellsEveryFailure = false

  /// Creates the usual settings.
  public init() {}
}
