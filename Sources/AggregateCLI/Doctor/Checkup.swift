import AggregateConfig
import AggregateCore
import AggregateFeeds
import AggregateRun
import AggregateSQLite
import AggregateSinks
import AggregateState
import AggregateTransport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What `doctor` looks at: the configuration, libraries, folders, the terminal, time zones, secrets.
struct Checkup {
  /// What a look at one thing came to.
  struct Finding {
    enum Status: String {
      /// It is as it should be.
      case good
      /// Something works less well.
      case note
      /// Something does not work.
      case bad
    }

    let subject: String
    let status: Status
    let text: String

    init(_ subject: String, _ status: Status, _ text: String) {
      self.subject = subject
      self.status = status
      self.text = text
    }
  }

  let arguments: ParsedArguments
  let program: Program
  let console: Console

  /// All findings, in the order to be shown.
  func findings() async -> [Finding] {
    [Finding("aggregate", .good, EngineVersion.text + " on " + Self.system)]
      + configuration() + libraries() + [folder("state", StateFolder.state(environment))]
      + [folder("cache", StateFolder.cache(environment)), terminal(), timeZones()]
      + [await secrets()]
  }

  private static func text(_ error: any Error) -> String {
    (error as? AggregateError)?.description ?? "\(error)"
  }

  private var environment: [String: String] { ConfigurationLoader.processEnvironment }

  private static var system: String {
    var name = utsname()
    guard uname(&name) == 0 else { return "an unknown system" }
    func text<T>(_ field: T) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(name.sysname)) \(text(name.release)) \(text(name.machine))"
  }

  private func configuration() -> [Finding] {
    let path: String
    do {
      path = try ConfigurationAccess.path(arguments)
    } catch {
      return [Finding("configuration", .note, Self.text(error))]
    }
    let loader = ConfigurationLoader(
      providers: program.providers, stages: program.stages, redactor: console.redactor)
    let (configuration, diagnostics) = loader.load(path: path)
    let errors = diagnostics.all.filter { $0.severity == .error }.count
    guard errors == 0 else {
      let noun = errors == 1 ? "error" : "errors"
      return [
        Finding("configuration", .bad, "\(path) has \(errors) \(noun): aggregate validate")
      ]
    }
    var findings = [
      Finding(
        "configuration", .good,
        "\(path): \(configuration.sources.count) sources, \(configuration.pipelines.count) pipelines,"
          + " \(configuration.tests.count) tests")
    ]
    for diagnostic in configuration.unresolved.sorted {
      let place = diagnostic.location.map { " (line \($0.line))" } ?? ""
      findings.append(Finding("variables", .note, diagnostic.message + place))
    }
    return findings
  }

  private func libraries() -> [Finding] {
    var findings: [Finding] = []
    do {
      findings.append(Finding("libcurl", .good, try CurlEngine.libraryVersion()))
    } catch {
      findings.append(Finding("libcurl", .bad, Self.text(error)))
    }
    do {
      let rows = try SQLiteConnection(path: ":memory:").rows("SELECT sqlite_version()")
      findings.append(Finding("sqlite", .good, rows.first?.first?.text ?? "of an unknown version"))
    } catch {
      findings.append(Finding("sqlite", .bad, Self.text(error)))
    }
    do {
      let page = ByteBuffer("<rss version=\"2.0\"><channel><title>t</title></channel></rss>")
      _ = try FeedParser.parse(page)
      findings.append(Finding("libxml2", .good, "reads feeds"))
    } catch {
      findings.append(Finding("libxml2", .bad, Self.text(error)))
    }
    do {
      findings.append(Finding("libpq", .good, try PostgreSQLOutput.libraryVersion()))
    } catch {
      findings.append(Finding("libpq", .note, "not found; needed for PostgreSQL only"))
    }
    for library in [SharedLibrary.zstandard, .duckDB] {
      findings.append(
        library.version.map { Finding(library.name, .good, $0) }
          ?? Finding(library.name, .note, "not found; needed for \(library.purpose) only"))
    }
    return findings
  }

  /// Whether files can be made in a folder, or in the one that it would be made in.
  private func folder(_ name: String, _ path: String) -> Finding {
    var existing = path
    while !FileInputs.exists(existing), let slash = existing.lastIndex(of: "/") {
      existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
    }
    if access(existing, W_OK | X_OK) == 0 {
      return Finding("\(name) folder", .good, path + (existing == path ? "" : " (not made yet)"))
    }
    return Finding("\(name) folder", .bad, "\(existing) can't be written to: \(systemMessage())")
  }

  private func terminal() -> Finding {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { SystemFacts.environment($0) }
      .first { !$0.isEmpty }
    let isUTF8 = locale.map { text in
      let text = text.lowercased()
      return text.contains("utf-8") || text.contains("utf8")
    }
    guard SystemFacts.isTerminal(1) else {
      return Finding("terminal", .good, "standard output is no terminal: CSV by default")
    }
    let width = SystemFacts.terminalWidth(1).map { "\($0) columns" } ?? "of unknown width"
    if isUTF8 == false {
      return Finding("terminal", .note, "\(width), but \(locale ?? "") is not UTF-8")
    }
    return Finding("terminal", .good, width + (console.hasColor ? ", with colours" : ""))
  }

  private func timeZones() -> Finding {
    TimeZoneRules.exists("Europe/Paris") && TimeZoneRules.exists("America/New_York")
      ? Finding("time zones", .good, "the zones of the system are found")
      : Finding("time zones", .bad, "zone data is missing; install tzdata")
  }

  private func secrets() async -> Finding {
    do {
      let leaks = try await RedactionProof().leaks()
      if leaks.isEmpty {
        return Finding(
          "secrets", .good, "a made-up secret is removed from messages, reports and recordings")
      }
      let ways = leaks.joined(separator: ", ")
      return Finding("secrets", .bad, "a made-up secret comes out in \(ways)")
    } catch {
      return Finding("secrets", .bad, Self.text(error))
    }
  }
}
