package import AggregateState

extension StateScope {
  /// The path that stands for a configuration file in the state: absolute, without `.` in it, so that
  /// `sources.yaml` and `./sources.yaml` are the same.
  package static func path(of file: String) -> String {
    let parts = FileInputs.absolute(file).split(separator: "/").filter { $0 != "." }
    return parts.isEmpty ? "" : "/" + parts.joined(separator: "/")
  }
}
