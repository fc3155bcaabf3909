import AggregateConfig
import AggregateCore

/// `aggregate plan [NAME...]`: what a run would ask, and which columns come out stage by stage.
enum PlanCommand: Command {
  static let name = "plan"
  static let summary = "shows requests, limits and columns of a run, without network"
  static let usage = "[NAME...] [options]"
  static let options = RunOptions.definitions

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let options = try RunOptions(arguments)
    let console = Entry.console(arguments)
    let (loaded, loader) = try ConfigurationAccess.load(arguments, program, console)
    var names = arguments.values("source") + arguments.words
    if names.isEmpty { names = loaded.sources.map(\.name) }
    let targets = try names.map { try RunCommand.target($0, in: loaded, program) }
    let configuration = try ConfigurationAccess.override(
      loaded, loader, arguments, targets.flatMap(\.sources))
    try ConfigurationAccess.throwIfUnresolved(configuration, targets)
    let session = try RunSession(
      program, options, console, Entry.log(arguments, console), configuration: configuration)
    var text = ""
    var seen: [String] = []
    for name in targets.flatMap(\.sources) where !seen.contains(name) {
      seen.append(name)
      guard let declaration = configuration.source(name) else { continue }
      text += try source(declaration, session)
    }
    for (name, target) in zip(names, targets) {
      guard let pipeline = target.pipeline else { continue }
      text += try self.pipeline(name, pipeline, target, session)
    }
    try Listing.print(console.redactor.redact(text))
    return 0
  }

  private static func source(
    _ declaration: SourceDeclaration, _ session: RunSession
  ) throws -> String {
    var diagnostics = Diagnostics()
    let provider = declaration.makeProvider(&diagnostics)
    try diagnostics.throwIfErrors()
    let own = try session.source(declaration.name)
    let stages = try RunExecution.stages(session.options, session.program)
    let source = own.appending(stages)
    var text = "source \(declaration.name) (provider \(declaration.provider?.spec.name ?? "?"))\n"
    if let provider {
      let requests = try provider.plannedRequests(session.planningContext(declaration))
      for request in requests.prefix(20) { text += "  \(request.method) \(request.url)\n" }
      if requests.count > 20 { text += "  … \(requests.count - 20) more\n" }
      if requests.isEmpty { text += "  no requests are known in advance\n" }
    }
    let facts: [(String, String?)] = [
      (
        "most pages of a partition",
        (session.options.limitPages ?? declaration.options.maxPages).map(String.init)
      ),
      ("rate limit", declaration.options.rateLimit.map { "\($0.count) in \($0.seconds) s" }),
      ("quota", declaration.options.quota.map { "\($0.count) in \($0.seconds) s" }),
      ("cursor", session.cursors(of: declaration)?.shown),
      ("tries of a request", String(declaration.options.policy.attempts)),
    ]
    for (name, value) in facts { if let value { text += "  \(name): \(value)\n" } }
    return text + (try columns(of: source, session))
  }

  private static func pipeline(
    _ name: String, _ pipeline: PipelineDeclaration, _ target: RunCommand.Target,
    _ session: RunSession
  ) throws -> String {
    var diagnostics = Diagnostics()
    let stages = pipeline.stages.compactMap { session.program.stages.make($0, &diagnostics) }
    try diagnostics.throwIfErrors()
    let members = try target.sources.map { try session.source($0) }
    let merged = try RowSource.merged(name, members, runner: session.runner)
    return "pipeline \(name): merges \(target.sources.joined(separator: ", "))\n"
      + (try columns(of: merged.appending(stages), session))
  }

  private static func columns(of source: RowSource, _ session: RunSession) throws -> String {
    guard let schemas = try session.runner.schemas(of: source) else {
      return "  columns: known only from the data\n"
    }
    var text = "  columns: \(schemas[0])\n"
    for (stage, schema) in zip(source.stages, schemas.dropFirst()) {
      text += "  \(type(of: stage).spec.name): \(schema)\n"
    }
    return text
  }
}
