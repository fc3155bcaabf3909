/// One transform: batches in, batches out.
///
/// A stage is made from its options, before anything is known of the rows. Binding it to the schema
/// of its input checks every name and expression and gives the transform that runs.
public protocol Stage: Sendable {
  /// Name, options, summary and example: the source of validation, help, reference and tests.
  static var spec: StageSpec { get }

  /// Creates the stage from options that were checked against the spec.
  ///
  /// Further mistakes (a bad expression, names that contradict each other) go to `diagnostics`.
  init(_ options: Options, _ diagnostics: inout Diagnostics)

  /// Sources or files whose rows the stage needs beside its input, by name.
  var sideInputs: [SideInput] { get }

  /// The most rows that the stage ever lets through, when it stops the stream by itself.
  var rowLimit: Int? { get }

  /// Makes the transform for input of `schema`; `sides` are the schemas of ``sideInputs``.
  ///
  /// - Throws: ``DiagnosticsError`` or ``AggregateError`` when a name or a type does not fit.
  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage

  /// What the stage needs of its input so that `downstream` of its output is right.
  ///
  /// Asked after binding succeeded; the default is everything.
  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand

  /// Whether the columns of the output are known only from the rows, as those of `pivot`.
  ///
  /// The bound output is then provisional: what follows is bound to the schema of the first batch. Such a
  /// stage emits at least one batch, if need be an empty one, and all of them have that schema.
  var findsSchema: Bool { get }
}

extension Stage {
  /// No side inputs.
  public var sideInputs: [SideInput] { [] }
  /// None.
  public var rowLimit: Int? { nil }
  /// The columns of the output follow from those of the input.
  public var findsSchema: Bool { false }
  /// Everything.
  public func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    .all
  }
}

/// Another stream that a stage takes in.
public struct SideInput: Sendable {
  /// When its rows come.
  public enum Order: Sendable {
    /// All of them before the first row of the main input.
    case beforeMain
    /// All of them after the last row of the main input.
    case afterMain
  }

  /// The name of a declared source, or the path of a file.
  public let name: String
  /// Where it was written.
  public let location: SourceLocation
  /// When its rows come.
  public let order: Order

  /// Creates a side input.
  public init(name: String, location: SourceLocation, order: Order) {
    self.name = name
    self.location = location
    self.order = order
  }
}

/// A stage that knows the schema of its input.
public enum BoundStage: Sendable {
  /// Each row on its own: may run on several threads, on any part of the stream.
  case rows(any RowTransform)
  /// Keeps state over the stream: is given all batches, in order, by one thread.
  ///
  /// The closure makes the state; it is called once per run.
  case stream(output: Schema, make: @Sendable () throws -> any StreamTransform)

  /// The schema of what comes out.
  public var output: Schema {
    switch self {
    case .rows(let transform): transform.output
    case .stream(let output, _): output
    }
  }
}

/// A transform that looks at one row at a time.
public protocol RowTransform: Sendable {
  /// The schema of what comes out.
  var output: Schema { get }
  /// The transformed rows; called from several threads.
  func apply(_ batch: Batch) throws -> Batch
}

/// A transform that keeps state over the stream.
public protocol StreamTransform: AnyObject {
  /// Takes a batch and emits what is ready.
  ///
  /// - Parameter input: 0 for the main input, 1… for the side inputs in order.
  func process(
    _ batch: Batch, input: Int, emit: (Batch) throws -> Demand
  ) throws -> Demand

  /// Told that an input has ended; after the last one, emits the rest.
  func finish(input: Int, emit: (Batch) throws -> Demand) throws
}

/// What a stage may use while it is bound and runs.
public struct StageContext: Sendable {
  /// Where losses and warnings go.
  public let log: RunLog
  /// Divides how many bytes the rows that stages keep may take before they spill to disk.
  public let memory: MemoryLedger
  /// Where spilled rows may go.
  public let temporaryDirectory: String
  /// Opens a file for rows of a schema, its format told by the path's extension.
  public let openOutput: @Sendable (_ path: String, _ schema: Schema) throws -> any StageOutput

  /// Creates a context; without `openOutput`, stages that write files fail.
  public init(
    log: RunLog, maxMemory: Int, temporaryDirectory: String,
    openOutput: @escaping @Sendable (_ path: String, _ schema: Schema) throws -> any StageOutput = {
      path, _ in
      throw AggregateError(.output, "“\(path)” cannot be written here")
    }
  ) {
    self.log = log
    memory = MemoryLedger(total: maxMemory)
    self.temporaryDirectory = temporaryDirectory
    self.openOutput = openOutput
  }
}

/// A name written by the user, with its place.
public struct LocatedText: Sendable {
  /// The text.
  public let text: String
  /// Where it was written.
  public let location: SourceLocation

  /// Creates a located text.
  public init(_ text: String, at location: SourceLocation) {
    self.text = text
    self.location = location
  }

  /// The text of a scalar node; nil for other nodes.
  public init?(_ node: Node) {
    guard let text = node.string else { return nil }
    self.init(text, at: node.location)
  }
}

extension Schema {
  /// Where a written name leads.
  ///
  /// - Throws: ``DiagnosticsError`` with the place, when it leads nowhere.
  public func resolve(_ name: LocatedText) throws -> ColumnReference {
    do {
      return try resolve(name.text)
    } catch {
      throw DiagnosticsError([
        Diagnostic(.error, "unknown-column", error.message, at: name.location, hint: error.hint)
      ])
    }
  }
}
