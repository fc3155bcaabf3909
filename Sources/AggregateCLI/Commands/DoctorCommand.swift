import AggregateCore

/// `aggregate doctor`.
enum DoctorCommand: Command {
  static let name = "doctor"
  static let summary = "checks configuration, libraries, folders and redaction"
  static let usage = "[-f json]"
  static let options: [OptionDefinition] = [
    .init("config", "c", .required("FILE"), "sources.yaml to use"),
    .init("format", "f", .required("json"), "as JSON: [{subject, status, text}]"),
    .init("errors", nil, .required("json"), "diagnostics as JSON lines"),
    .init("color", nil, .required("WHEN"), "auto, always or never"),
    .init("help", "h", .none, "shows this help"),
  ]
  static let discussion = """
    Each line is good, a note (something works less well) or bad. The exit code is 1 when one is bad.
    Nothing is asked of the network. For a report of a defect, send along what this prints.
    """

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let format = arguments.value("format") ?? "text"
    guard ["json", "text"].contains(format) else {
      throw AggregateError(.configuration, "doctor -f takes json, not “\(format)”")
    }
    let console = Entry.console(arguments)
    let findings = await Checkup(arguments: arguments, program: program, console: console)
      .findings()
    if format == "json" {
      let items = findings.map {
        "{\"subject\":\(EscapedText.quoted($0.subject)),\"status\":\"\($0.status.rawValue)\","
          + "\"text\":\(EscapedText.quoted(console.redactor.redact($0.text)))}"
      }
      try Listing.print("[" + items.joined(separator: ",\n ") + "]\n")
    } else {
      let rows = findings.map { finding in
        let status = finding.status.rawValue
        let gap = String(repeating: " ", count: 6 - status.count)
        return ("\(status)\(gap)\(finding.subject)", console.redactor.redact(finding.text))
      }
      try Listing.print(rows.map { (name: $0.0, summary: $0.1) }, json: false)
    }
    return findings.contains { $0.status == .bad } ? 1 : 0
  }
}
