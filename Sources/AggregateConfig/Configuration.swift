public import AggregateCore

/// A `sources.yaml` that was read: sources, pipelines and tests.
public struct Configuration: Sendable {
  /// The file, as the user knows it.
  public let path: String
  /// The folder of the file, which relative paths in it begin at.
  public let directory: String
  /// The sources, in order.
  public internal(set) var sources: [SourceDeclaration]
  /// The pipelines, in order.
  public let pipelines: [PipelineDeclaration]
  /// The tests, in order.
  public let tests: [TestDeclaration]

  /// The source of this name.
  public func source(_ name: String) -> SourceDeclaration? {
    sources.first { $0.name == name }
  }

  /// The pipeline of this name.
  public func pipeline(_ name: String) -> PipelineDeclaration? {
    pipelines.first { $0.name == name }
  }

  /// Everything that is wrong only when its source, pipeline or test is run, such as unset variables.
  public var unresolved: Diagnostics {
    var all = Diagnostics()
    for source in sources { all.add(contentsOf: source.unresolved) }
    for pipeline in pipelines { all.add(contentsOf: pipeline.unresolved) }
    for test in tests { all.add(contentsOf: test.unresolved) }
    return all
  }
}
