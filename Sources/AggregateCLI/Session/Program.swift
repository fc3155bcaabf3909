import AggregateCore
import AggregateStages

/// What the program is made of: the explicit lists of providers, stages and commands.
struct Program: Sendable {
  /// The providers.
  let providers: ProviderRegistry
  /// The stages.
  let stages: StageRegistry
  /// The commands.
  let commands: [any Command.Type]

  /// Creates the program with these providers, and all stages and commands there are.
  init(providers: ProviderRegistry) {
    self.providers = providers
    stages = Stages.registry
    commands = [
      RunCommand.self, ConvertCommand.self, ListCommand.self, ShowCommand.self,
      ValidateCommand.self, PlanCommand.self, TestCommand.self, StateCommand.self,
      CacheCommand.self, QuotaCommand.self, ShardsCommand.self, InferCommand.self,
      SchemaCommand.self, DoctorCommand.self, CompletionsCommand.self,
      VersionCommand.self, DocsCommand.self,
    ]
  }
}
