public import AggregateCore

/// An entry of `sources:`.
public struct SourceDeclaration: Sendable {
  /// Its name.
  public let name: String
  /// Where the name was written.
  public let location: SourceLocation
  /// The whole mapping: the defaults under it, `${…}` filled in.
  public let node: Node
  /// The provider that reads it; nil when it names none that exists.
  public let provider: (any Provider.Type)?
  /// The values of the keys common to every source.
  public let options: SourceOptions
  /// Environment variables that are not set and the like: errors only when the source is run.
  public let unresolved: Diagnostics
  /// Whether the mapping has no errors but unknown keys, so that the provider may be made.
  public let isValid: Bool

  /// The keys that this source may have.
  public var specs: [OptionSpec] { Self.specs(of: provider) }

  static func specs(
    of provider: (any Provider.Type)?, over common: [OptionSpec] = CommonOptions.specs
  ) -> [OptionSpec] {
    let own = provider?.spec.options ?? []
    let common = common.filter { option in !own.contains { $0.name == option.name } }
    return common + own
  }

  /// Makes the provider from the options.
  ///
  /// - Returns: Nil, with diagnostics, when the options are wrong or a variable is not set.
  public func makeProvider(_ diagnostics: inout Diagnostics) -> (any Provider)? {
    diagnostics.add(contentsOf: unresolved)
    guard isValid, let provider, !unresolved.hasErrors else { return nil }
    var found = Diagnostics()
    let made = provider.init(Options(node, specs: specs), &found)
    diagnostics.add(contentsOf: found)
    return found.hasErrors ? nil : made
  }

  /// Makes the stages of `stages:`, in order; those that are not well-formed are left out.
  public func makeStages(
    from registry: StageRegistry, _ diagnostics: inout Diagnostics
  ) -> [any Stage] {
    options.stages.compactMap { registry.make($0, &diagnostics) }
  }

  /// Makes the stage behind those of `stages:` that asserts `expect:`; nil without one.
  public func makeExpectation(
    from registry: StageRegistry, _ diagnostics: inout Diagnostics
  ) -> (any Stage)? {
    options.expect.flatMap { registry.expectation?(name, $0, &diagnostics) }
  }
}
