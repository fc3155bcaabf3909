internal import AggregateCore

/// Where the configuration is looked for.
public enum ConfigurationFile {
  /// The file to read.
  ///
  /// - Parameters:
  ///   - given: What `-c` names; it is taken as it is.
  ///   - environment: `AGGREGATE_CONFIG`, `XDG_CONFIG_HOME` and `HOME` count.
  ///   - directory: Where `sources.yaml` is looked for first.
  /// - Throws: ``AggregateError`` with code `configuration` when there is none.
  public static func find(
    given: String?, environment: [String: String], directory: String = "."
  ) throws -> String {
    if let given { return given }
    let here = "sources.yaml"
    let local = directory == "." ? here : "\(directory)/\(here)"
    if RegularFile.exists(local) { return local }
    if let path = environment["AGGREGATE_CONFIG"], !path.isEmpty { return path }
    var looked = ["./sources.yaml", "$AGGREGATE_CONFIG (not set)"]
    var base = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    if base == nil, let home = environment["HOME"], !home.isEmpty { base = "\(home)/.config" }
    if let base {
      let path = "\(base)/aggregate/\(here)"
      if RegularFile.exists(path) { return path }
      looked.append(path)
    }
    throw AggregateError(
      .configuration, "there is no sources.yaml; looked at \(looked.joined(separator: ", "))",
      hint: "name the file with -c FILE, or write one with “aggregate infer URL”")
  }
}
