import AggregateCore

/// What the program is made of: the explicit lists of providers, stages and commands.
struct Program: Sendable {
  /// The providers.
  let providers: ProviderRegistry
  /// The stages.
  let stages: StageRegistry
  /// The commands.
  let commands: [any Command.Type]

  /// Creates a program.
  init(
    providers: ProviderRegistry, stages: StageRegistry, commands: [any Command.Type]
  ) {
    self.providers = providers
    self.stages = stages
    self.commands = commands
  }
}
