/// Which version of the engine this is.
package enum EngineVersion {
  /// The version, as `aggregate version` and recordings have it.
  package static let text = "0.1.0"

  /// How requests name the program.
  package static let userAgent = "aggregate/\(text)"
}
