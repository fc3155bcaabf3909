package import AggregateConfig
import AggregateCore

/// What the name of a source or a pipeline stands for.
package struct RunTarget: Sendable {
  /// The name.
  package let name: String
  /// The sources, in the order of their rows.
  package let sources: [String]
  /// The pipeline; nil for a source.
  package let pipeline: PipelineDeclaration?

  /// Looks a name up; nil when nothing is called so.
  package init?(_ name: String, in configuration: Configuration) {
    self.name = name
    pipeline = configuration.pipeline(name)
    if let pipeline {
      sources = pipeline.merge.map(\.text)
    } else if configuration.source(name) != nil {
      sources = [name]
    } else {
      return nil
    }
  }

  /// Looks a name up.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when nothing is called so.
  package static func named(_ name: String, in configuration: Configuration) throws -> RunTarget {
    if let target = RunTarget(name, in: configuration) { return target }
    let names = configuration.sources.map(\.name) + configuration.pipelines.map(\.name)
    throw AggregateError(
      .configuration, "there is no source or pipeline “\(name)”",
      hint: Suggestions.hint(for: name, in: names))
  }
}
