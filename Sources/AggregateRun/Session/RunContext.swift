package import AggregateCore

/// What a run is given: its settings, the stages there are, and whom it tells what.
package struct RunContext: Sendable {
  /// What it is asked to do.
  package let settings: RunSettings
  /// The stages that pipelines and sources may name.
  package let stages: StageRegistry
  /// What it has to say.
  package let log: RunLog
  /// Knows the secrets.
  package let redactor: Redactor
  /// Is told how it goes.
  package let observer: any RunObserver

  /// Creates a context.
  package init(
    _ settings: RunSettings, stages: StageRegistry, log: RunLog, redactor: Redactor,
    observer: any RunObserver
  ) {
    self.settings = settings
    self.stages = stages
    self.log = log
    self.redactor = redactor
    self.observer = observer
  }
}
