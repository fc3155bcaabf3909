package import AggregateConfig
import AggregateCore

extension Configuration {
  /// The configuration with options of sources and parameters set for one run.
  ///
  /// - Parameter names: The sources of the run.
  /// - Throws: ``DiagnosticsError`` for what does not fit.
  package func setting(
    _ parameters: [(name: String, value: String)], of names: [String],
    with loader: ConfigurationLoader
  ) throws -> Configuration {
    let (result, diagnostics) = loader.overriding(
      parameters.map { (key: $0.name, value: $0.value) }, sources: names, in: self)
    try diagnostics.throwIfErrors()
    return result
  }

  /// Throws what is missing for what is going to run, such as variables that are not set.
  package func throwIfUnresolved(_ targets: [RunTarget]) throws {
    var diagnostics = Diagnostics()
    for target in targets {
      if let pipeline = target.pipeline { diagnostics.add(contentsOf: pipeline.unresolved) }
      for name in target.sources {
        if let source = source(name) { diagnostics.add(contentsOf: source.unresolved) }
      }
    }
    try diagnostics.throwIfErrors()
  }
}
