import AggregateConfig
import AggregateCore
import AggregateRun

/// `aggregate plan [NAME...]`: what a run would do, told without asking anybody.
enum PlanCommand: Command {
  static let name = "plan"
  static let summary = "shows requests, limits and columns of a run, without network"
  static let usage = "[NAME...] [options]"
  static let options = RunOptions.definitions
  static let discussion = """
    Per source: the first requests, partitions, paging, the kind of authentication, cache, cursors and
    where the next run begins, limits with what is used of a quota, tries, timeouts, columns, stages.
    Several names are one run, merged. Without a name, every source is planned for itself.

    -f json writes { sources: [...], pipelines: [...] }. All keys are always there; null is what is not
    declared, or known only later; times are seconds. A source has

      source, provider
      requests        [{ method, url }], the first 20; more_requests counts further ones that are known
      services        those that stand in for each other, in order; none where there is only one
      partitions      { count, keys: [{ name, from, values, batch, ... }] }; from is list, range (first,
                      last, step), file (file) or source (source, column: one value per row)
      paging          { kind, parameters, ends }; max_pages of one partition
      authentication  kinds, or the options with a key that are set; never a value
      cache           { mode: on off refresh offline, ttl, stale_if_error, always_stands_in }
      incremental     { cursor, query, until_query, format, asked, start, lag, step, key, moves,
                      partitions: [{ partition, value, next, updated }] }
      rate_limit      { count, seconds }
      quota           { count, seconds, used, left, frees }
      concurrency, retry { attempts, max_wait, statuses, breaker }, timeout { total, connect, stall }
      tls, proxy, on_error
      columns         [{ name, type, unit, description }]; columns_needed by the stages, null for all
      row_limit       of a stage; paging stops once so many rows are there
      stages          [{ stage, columns }]

    and a pipeline { pipeline, sources, on_error, output, columns, row_limit, stages }.
    """

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let options = try RunOptions(arguments)
    let console = Entry.console(arguments)
    let (loaded, loader) = try ConfigurationAccess.load(arguments, program, console)
    let given = arguments.wordsAndValues(of: "source")
    let names = given.isEmpty ? loaded.sources.map(\.name) : given
    let targets = try names.map { try RunCommand.target($0, in: loaded, program) }
    let configuration = try loaded.setting(
      options.settings.parameters, of: targets.flatMap(\.sources), with: loader)
    try configuration.throwIfUnresolved(targets)
    let session = try RunSession(
      Entry.context(options, program, console), configuration: configuration)
    let plan = try RunPlan(
      targets, configuration, session, appending: options.stages(program.stages),
      isOneRun: !given.isEmpty)
    if arguments.value("format") == "json" {
      try Listing.print(plan.value.json(console.redactor) + "\n")
    } else {
      try Listing.print(console.redactor.redact(plan.text))
    }
    return 0
  }
}
