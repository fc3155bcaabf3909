internal import AggregateCore

/// The request of a source with its templates; gives the requests of parts and pages.
struct RequestTemplate: Sendable {
  enum Body: Sendable {
    case json(BodyValue)
    case form([(name: String, values: [Template])])
    case text(Template)
  }

  let url: Template
  let method: String
  let query: [(name: String, values: [Template])]
  let headers: [(name: String, value: Template)]
  let body: Body?
  let credentials: [Credential]
  /// What fetches and renews credentials; set when the source is run.
  var authorizer: (any RequestAuthorizer)?
  let allowHosts: [String]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let urlNode = options.node("url") ?? options.node
    url = Template(urlNode)
    query = (options.entries("query") ?? []).map { entry in
      (entry.key, (entry.value.sequence ?? [entry.value]).map { Template($0) })
    }
    headers = (options.entries("headers") ?? []).map { ($0.key, Template($0.value)) }
    body = options.given("body").flatMap(Self.body)
    method = options.text("method") ?? (body == nil ? "GET" : "POST")
    credentials = Authentication.credentials(options.given("auth"))
    allowHosts = options.texts("allow_hosts") ?? []
    Self.refuseUserInformation(url, at: urlNode, &diagnostics)
    let beginsWithValue =
      if case .name = url.pieces.first { true } else { url.hasSecret }
    if !beginsWithValue, WebURL(url.expandedURL([:])) == nil {
      diagnostics.error(
        "url", "“url” is not an HTTP address: \(urlNode.shown)", at: urlNode.location,
        hint: "it begins with http:// or https:// and a host")
    }
  }

  /// The request of a login.
  init(login address: Node, method: String, body: Node?, _ diagnostics: inout Diagnostics) {
    url = Template(address)
    self.method = method
    query = []
    headers = []
    self.body = body.flatMap(Self.body)
    credentials = []
    allowHosts = []
    Self.refuseUserInformation(url, at: address, &diagnostics)
    if !url.hasSecret, WebURL(url.expandedURL([:])) == nil {
      diagnostics.error(
        "url", "“url” is not an HTTP address: \(address.shown)", at: address.location,
        hint: "it begins with http:// or https:// and a host")
    }
  }

  /// User and password of an address would be left out of the requests in silence.
  private static func refuseUserInformation(
    _ url: Template, at node: Node, _ diagnostics: inout Diagnostics
  ) {
    guard WebURL.userInformation(of: url.expandedURL([:])) != nil else { return }
    diagnostics.error(
      "user-information", "“url” has a user or a password before the host", at: node.location,
      hint: "write auth: { basic: { user: …, password: \"${PASSWORD}\" } }")
  }

  /// The names of the placeholders in address and body.
  var names: [String] {
    let inBody: [Template] =
      switch body {
      case .json(let value): value.templates
      case .form(let items): items.flatMap(\.values)
      case .text(let template): [template]
      case nil: []
      }
    return ([url] + inBody).flatMap(\.names)
  }

  private static func body(_ node: Node) -> Body? {
    if let json = node["json"] { return .json(BodyValue(json)) }
    if let form = node["form"]?.mapping {
      return .form(
        form.map { entry in
          (entry.key, (entry.value.sequence ?? [entry.value]).map { Template($0) })
        })
    }
    if let text = node["text"] { return .text(Template(text)) }
    guard let graphql = node["graphql"] else { return nil }
    var members: [(key: String, value: BodyValue)] = [
      ("query", .plain(graphql["query"]?.string ?? ""))
    ]
    if let variables = graphql["variables"] { members.append(("variables", BodyValue(variables))) }
    return .json(.object(members))
  }

  /// All templates with the nodes they were written in, for checking their placeholders.
  func templates(_ options: Options) -> [(Template, SourceLocation)] {
    var result = [(url, options.location("url"))]
    for (index, item) in query.enumerated() {
      let place = options.entries("query")?[index].value.location ?? options.location("query")
      result += item.values.map { ($0, place) }
    }
    for (index, item) in headers.enumerated() {
      let place = options.entries("headers")?[index].value.location ?? options.location("headers")
      result.append((item.value, place))
    }
    let place = options.location("body")
    switch body {
    case .json(let value): result += value.templates.map { ($0, place) }
    case .form(let items): result += items.flatMap(\.values).map { ($0, place) }
    case .text(let template): result.append((template, place))
    case nil: break
    }
    return result
  }

  /// The request with these values and changes.
  func request(
    _ values: [String: String], _ changes: [RequestChange] = [], _ window: Window? = nil
  ) throws -> HTTPRequest {
    let text = url.expandedURL(values)
    guard var address = WebURL(text) else {
      throw AggregateError(
        .configuration, "“\(text)” is not an HTTP address",
        hint: "it begins with http:// or https:// and a host")
    }
    for item in query {
      for value in item.values { address.append(query: item.name, value.expanded(values)) }
    }
    for item in window?.query ?? [] { address.set(query: item.name, item.value) }
    var fields = headers.map { HTTPField($0.name, $0.value.expanded(values)) }
    var json: BodyValue?
    if case .json(let value) = body { json = value }
    var extra: [(String, String)] = []
    for change in changes {
      switch change {
      case .query(let name, let value): address.set(query: name, value)
      case .header(let name, let value):
        fields.removeAll { $0.isNamed(name) }
        fields.append(HTTPField(name, value))
      case .body(let path, let value, let literal):
        if case .form = body {
          extra.append((path.last ?? "", value))
        } else {
          json = (json ?? .object([])).setting(
            path[...], to: literal ? .literal(value) : .plain(value))
        }
      }
    }
    var request = HTTPRequest(method, address, headers: fields, credentials: credentials)
    request.authorizer = authorizer
    switch body {
    case .text(let template):
      request.body = Array(template.expanded(values).utf8)
      addType("text/plain; charset=utf-8", to: &request)
    case .form(let items):
      var pairs = items.flatMap { item in
        item.values.map { (item.name, $0.expanded(values)) }
      }
      for item in extra {
        pairs.removeAll { $0.0 == item.0 }
        pairs.append(item)
      }
      let text = pairs.map { "\(WebURL.encoded($0.0))=\(WebURL.encoded($0.1))" }
      request.body = Array(text.joined(separator: "&").utf8)
      addType("application/x-www-form-urlencoded", to: &request)
    case .json, nil:
      if let json {
        request.body = Array(json.json(values).utf8)
        addType("application/json", to: &request)
        if body == nil && method == "GET" { request.method = "POST" }
      }
    }
    return request
  }

  private func addType(_ type: String, to request: inout HTTPRequest) {
    if !request.headers.contains(where: { $0.isNamed("content-type") }) {
      request.headers.append(HTTPField("Content-Type", type))
    }
  }

  /// The request for an address that an answer named: relative to `page`, its own parameters first.
  ///
  /// - Throws: ``AggregateError`` with code `pagination` when it leads to another origin.
  func request(
    following link: String, from page: WebURL, _ values: [String: String],
    _ window: Window? = nil
  ) throws -> HTTPRequest {
    guard var address = page.resolving(link) else {
      throw AggregateError(.pagination, "the next page is “\(link)”, which is not an HTTP address")
    }
    var request = try request(values)
    let home = request.url.origin
    if address.origin != home {
      let isAllowed = allowHosts.contains { allowed in
        let lowered = allowed.lowercased()
        return [address.host.lowercased(), address.authority.lowercased(), address.origin].contains(
          lowered)
      }
      guard isAllowed else {
        throw AggregateError(
          .pagination,
          "the next page is on another host: \(address.scheme)://\(address.authority), not \(request.url.scheme)://\(request.url.authority)",
          hint: "allow_hosts: [\(address.authority)] follows it, without the credentials")
      }
      request.credentials = []
      request.authorizer = nil
      request.showsCertificate = false
      let secret = Set(headers.filter(\.value.hasSecret).map { $0.name.lowercased() })
      request.headers.removeAll { field in
        let name = field.name.lowercased()
        return secret.contains(name) || ["authorization", "cookie"].contains(name)
      }
    } else {
      // What the link leaves out of the declared query still holds.
      let given = Set(address.queryItems.map(\.name))
      for item in query where !given.contains(item.name) {
        for value in item.values { address.append(query: item.name, value.expanded(values)) }
      }
      for item in window?.query ?? [] where !given.contains(item.name) {
        address.append(query: item.name, item.value)
      }
    }
    request.url = address
    return request
  }
}
