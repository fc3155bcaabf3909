/// Where state and cache lie.
public enum StateFolder {
  /// `$XDG_STATE_HOME/aggregate`, by default `~/.local/state/aggregate`.
  public static func state(_ environment: [String: String]) -> String {
    folder("XDG_STATE_HOME", "/.local/state", environment)
  }

  /// `$XDG_CACHE_HOME/aggregate`, by default `~/.cache/aggregate`.
  public static func cache(_ environment: [String: String]) -> String {
    folder("XDG_CACHE_HOME", "/.cache", environment)
  }

  private static func folder(
    _ variable: String, _ inHome: String, _ environment: [String: String]
  ) -> String {
    // The specification says that a relative path is to be ignored.
    if let base = environment[variable], base.hasPrefix("/") { return "\(base)/aggregate" }
    return "\(environment["HOME"] ?? "/tmp")\(inHome)/aggregate"
  }
}
