import AggregateCore
import AggregateRun
import AggregateTransport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Sends a made-up secret down every way that leads out of the program, and looks whether it comes out.
struct RedactionProof {
  /// A secret with characters that every encoding changes.
  static func canary() -> String {
    "canary+\(UInt32.random(in: .min ... .max))/\"a\\b&c=d é"
      + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  private let secret: String
  private let redactor: Redactor
  private let forms: [String]

  /// - Parameters:
  ///   - secret: The canary.
  ///   - redactor: What is to keep it inside; one that knows it unless given.
  init(secret: String = canary(), redactor: Redactor? = nil) {
    self.secret = secret
    self.redactor = redactor ?? Redactor()
    if redactor == nil {
      self.redactor.register(secret)
      self.redactor.registerBasic(user: "user", password: secret)
    }
    let quoted = String(EscapedText.quoted(secret).dropFirst().dropLast())
    forms = [
      secret, quoted, WebURL.encoded(secret), WebURL.encoded(secret, keeping: "/"),
      WebURL.encoded(secret).replacing("%20", with: "+"), Base64.encode(Array(secret.utf8)),
      Base64.encode(Array("user:\(secret)".utf8)),
    ]
  }

  /// The ways out that the secret was seen on; empty when it stays inside.
  func leaks() async throws -> [String] {
    var leaks: [String] = []
    let console = Console(redactor: redactor, isJSON: false, hasColor: false)
    let jsonConsole = Console(redactor: redactor, isJSON: true, hasColor: false)
    for form in forms {
      let error = AggregateError(
        .rejected, "401 from https://host/?key=\(form)", hint: form, source: form)
      let report = RunReport(
        exit: 1, rows: 0, seconds: 0,
        sources: [
          .init(
            name: "source", status: .failed, rows: 0, pages: 0, figures: SourceMetrics().figures,
            error: error.description, stop: nil)
        ], hosts: [])
      let location = SourceLocation(file: "sources.yaml", line: 1, column: 1, text: "key: \(form)")
      let diagnostic = Diagnostic(.error, "code", "not “\(form)”", at: location, hint: form)
      let ways = [
        ("messages", console.text(of: error)),
        ("diagnostics", console.text(of: DiagnosticsError([diagnostic]))),
        ("errors as JSON", jsonConsole.text(of: error)),
        ("the report", redactor.redact(report.json)),
      ]
      for (name, text) in ways where isSeen(text) && !leaks.contains(name) { leaks.append(name) }
    }
    if isSeen(try await recording()) { leaks.append("recordings") }
    return leaks
  }

  private func isSeen(_ text: String) -> Bool { forms.contains { text.contains($0) } }

  /// The text of a recording of an exchange that has the secret in all of its parts.
  private func recording() async throws -> String {
    let recorder = Recorder(redactor: redactor, version: EngineVersion.text)
    var address = WebURL("https://host/path")
    address?.append(query: "key", secret)
    guard let url = address else { return "" }
    let fields = forms.map { HTTPField("X-Key", $0) }
    let request = WireRequest(
      "POST", url, headers: fields, body: Array(forms.joined(separator: "\n").utf8))
    _ = try await recorder.recording(EchoWire()).exchange(request)
    // Of its own also beside another proof of the same process.
    let number = String(UInt64.random(in: .min ... .max), radix: 36)
    let path = "\(SystemFacts.temporaryDirectory)/aggregate-doctor-\(getpid())-\(number).har"
    defer { unlink(path) }
    try recorder.write(to: path)
    return try TextFile.read(path)
  }
}

/// Answers with what it was asked.
private struct EchoWire: Wire {
  func exchange(_ request: WireRequest) async throws -> WireResponse {
    WireResponse(
      status: 200, headers: request.headers + [HTTPField("Content-Type", "text/plain")],
      body: ByteBuffer(String(decoding: request.body ?? [], as: UTF8.self)), startedAt: .now)
  }
}
