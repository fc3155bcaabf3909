package import AggregateConfig
package import AggregateCore
import AggregateState

/// What is used of the quota of a source.
package struct QuotaUsage {
  /// The source.
  package let source: String
  /// The quota.
  package let quota: Quantities.Rate
  /// How many requests count against it now.
  package let used: Int
  /// When the next one is free again; nil while some are.
  package let frees: Instant?

  /// How many requests are left.
  package var left: Int { max(0, quota.count - used) }

  /// The quotas that are declared, and those of earlier runs that are no longer.
  ///
  /// - Throws: ``AggregateError`` when the state can't be read.
  package static func all(of configuration: Configuration) throws -> [QuotaUsage] {
    let path = StateFolder.state(ConfigurationLoader.processEnvironment) + "/state.db"
    let scope = StateScope.path(of: configuration.path)
    let database = FileInputs.exists(path) ? StateDatabase(path: path) : nil
    let stored = try database?.quotas(config: scope) ?? []
    return try configuration.sources.compactMap { source in
      var found = stored.first { $0.scope.source == source.name }
      guard let quota = source.options.quota ?? found?.quota else { return nil }
      if quota != found?.quota {
        // What counts is the window that is declared now, not that of the runs before.
        found = try database?.usage(
          of: StateScope(config: scope, source: source.name), quota: quota)
      }
      return QuotaUsage(
        source: source.name, quota: quota, used: found?.used ?? 0, frees: found?.frees)
    }
  }
}
