import AggregateConfig
import AggregateCore
import AggregateInference
import AggregateRun
import AggregateTransport

/// `aggregate infer URL|FILE`.
enum InferCommand: Command {
  static let name = "infer"
  static let summary = "writes a source declaration for an address or a file"
  static let usage = "URL|FILE [options]"
  static let options: [OptionDefinition] = [
    .init("name", nil, .required("NAME"), "what the source is called"),
    .init("header", "H", .required("NAME: VALUE"), "a header field of the requests; repeatable"),
    .init("timeout", nil, .required("DURATION"), "longest time for one request"),
    .init("errors", nil, .required("json"), "errors as JSON lines"),
    .init("quiet", "q", .none, "errors only"),
    .init("verbose", "v", .none, "one line per request"),
    .init("color", nil, .required("WHEN"), "auto, always or never"),
    .init("help", "h", .none, "shows this help"),
  ]
  static let discussion = """
    Looks for the format, for where the records are, for columns and their types, and for paging; at most
    five requests, all of them GET. What is written runs as it is:

      aggregate infer https://api.example.com/items > sources.yaml && aggregate items

    A page that names a feed becomes a news source. A key in the address, or in a header Authorization or
    X-…-Key, is not written out: a variable stands in its place.
    """

  private static let keys: Set<String> = [
    "key", "apikey", "token", "accesstoken", "apitoken", "appid", "accesskey", "authtoken",
    "clientsecret", "secret", "subscriptionkey", "sig", "signature", "password",
  ]

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    guard arguments.words.count == 1, let origin = arguments.words.first else {
      throw AggregateError(.configuration, "infer takes one address or file: \(usage)")
    }
    let console = Entry.console(arguments)
    let log = Entry.log(arguments, console)
    let text: String
    if origin.contains("://") {
      text = try await url(origin, arguments, log, console.redactor)
    } else if FileInputs.exists(origin) {
      guard arguments.values("header").isEmpty else {
        throw AggregateError(.configuration, "--header is for addresses, but “\(origin)” is a file")
      }
      text = try await FileInference(path: origin, name: arguments.value("name"), log: log)
        .declaration()
    } else {
      let isHost =
        origin.prefix { $0 != "/" }.contains(".") && !origin.hasPrefix(".") && origin.contains("/")
      throw AggregateError(
        .configuration, "there is no file “\(origin)”",
        hint: isHost ? "an address begins with https://" : nil)
    }
    try check(text, program)
    try Listing.print(console.redactor.redact(text))
    return 0
  }

  private static func url(
    _ text: String, _ arguments: ParsedArguments, _ log: RunLog, _ redactor: Redactor
  ) async throws -> String {
    guard let given = WebURL(text) else {
      throw AggregateError(
        .configuration, "“\(text)” is not an address", hint: "it begins with http:// or https://")
    }
    var url = given
    var secret: URLInference.Secret?
    if let item = given.queryItems.first(where: { isKey($0.name) && $0.value.count >= 4 }) {
      secret = .key(place: "query", name: item.name, value: item.value)
      redactor.register(item.value)
      let rest = given.queryItems.filter { $0.name != item.name }
      url.query = nil
      for item in rest { url.append(query: item.name, item.value) }
    }
    var headers: [HTTPField] = []
    for field in try arguments.values("header").map(field) {
      let isBearer =
        field.isNamed("authorization") && field.value.lowercased().hasPrefix("bearer ")
      guard isBearer || isSecret(field.name), secret == nil else {
        headers.append(field)
        continue
      }
      let token = isBearer ? String(field.value.dropFirst(7)) : field.value
      secret = isBearer ? .bearer(token) : .key(place: "header", name: field.name, value: token)
      redactor.register(token)
    }
    var policy = RequestPolicy()
    policy.attempts = 2
    policy.maxWait = .seconds(10)
    if let text = arguments.value("timeout") {
      guard let timeout = Quantities.duration(text) else {
        throw AggregateError(.configuration, "--timeout takes a duration, not “\(text)”")
      }
      policy.totalTimeout = timeout
      policy.connectTimeout = min(policy.connectTimeout, timeout)
    }
    let name = arguments.value("name") ?? sourceName(url)
    let client = HTTPTransport(
      source: name, wire: CurlEngine(userAgent: EngineVersion.userAgent),
      policy: policy, slots: RequestSlots(1), log: log, redactor: redactor)
    return try await URLInference(
      url: url, name: name, headers: headers, secret: secret, client: client, log: log
    ).declaration()
  }

  private static func isKey(_ name: String) -> Bool {
    keys.contains(FieldName.words(name).joined())
  }

  private static func isSecret(_ header: String) -> Bool {
    let words = FieldName.words(header)
    return words == ["authorization"] || words == ["cookie"]
      || !keys.isDisjoint(with: words) || keys.contains(words.joined())
  }

  private static func field(_ text: String) throws -> HTTPField {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw AggregateError(.configuration, "-H takes “NAME: VALUE”, not “\(text)”")
    }
    return HTTPField(
      String(parts[0]), String(parts[1].drop(while: \.isWhitespace)).trimmedEnd)
  }

  /// The last part of the path that says something, else the host.
  private static func sourceName(_ url: WebURL) -> String {
    let parts = url.path.split(separator: "/").map { String($0.prefix { $0 != "." }) }
    let isVersion = { (part: String) in
      part.first?.lowercased() == "v" && part.dropFirst().allSatisfy(\.isNumber)
    }
    if let part = parts.last(where: { !$0.allSatisfy(\.isNumber) && !isVersion($0) }) {
      return DeclarationText.name(from: WebURL.decoded(part))
    }
    let labels = url.host.split(separator: ".").filter { $0 != "www" && $0 != "api" }
    return DeclarationText.name(from: labels.first.map(String.init) ?? "source")
  }

  /// What is written must be what the program reads.
  private static func check(_ text: String, _ program: Program) throws {
    // A variable that is to be set is not set yet.
    let environment = UnsetVariables.filled([:], for: text)
    let loader = ConfigurationLoader(
      providers: program.providers, stages: program.stages, redactor: Redactor(),
      environment: environment)
    let (_, diagnostics) = loader.load(Array(text.utf8), path: "<inferred>")
    if let first = diagnostics.all.first(where: { $0.severity == .error }) {
      throw AggregateError(
        .internal, "what was inferred can't be declared: \(first.message)",
        hint: "please report it with the address")
    }
  }
}
