internal import AggregateCore

/// The parameters of a query to NewsAPI, and what of them it would refuse.
struct NewsAPIQuery {
  /// The options that become parameters.
  static let options = [
    "country", "category", "sources", "domains", "exclude_domains", "query", "search_in",
    "language", "from", "to", "sort_by",
  ]
  /// The most sources that NewsAPI takes in one query.
  static let mostSources = 20
  /// The longest text that it takes for `query`, in characters.
  static let longestQuery = 500

  let kind: NewsAPIEndpoint.Kind
  private let country: String?
  private let category: String?
  private let sources: [String]
  private let domains: [String]
  private let excludedDomains: [String]
  private let query: String?
  private let searchIn: [String]
  private let language: String?
  private let sortBy: String?
  private let from: NewsDate?
  private let to: NewsDate?

  init(_ kind: NewsAPIEndpoint.Kind, _ options: Options) {
    self.kind = kind
    let now = Instant.now
    func text(_ name: String) -> String? {
      options.text(name).flatMap { Self.trimmed($0[...]).isEmpty ? nil : $0 }
    }
    // NewsAPI joins with commas what is a list here; either works.
    func list(_ name: String) -> [String] {
      (options.texts(name) ?? []).flatMap { $0.split(separator: ",") }.map(Self.trimmed)
        .filter { !$0.isEmpty }
    }
    country = text("country")
    category = text("category")
    sources = list("sources")
    domains = list("domains")
    excludedDomains = list("exclude_domains")
    query = text("query")
    searchIn = list("search_in")
    language = text("language")
    sortBy = text("sort_by")
    from = text("from").flatMap { NewsDate($0, now: now) }
    to = text("to").flatMap { NewsDate($0, now: now) }
  }

  private static func trimmed(_ text: Substring) -> String {
    let kept = text.drop { $0.isWhitespace }
    return String(kept.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// An address with the parameters.
  func added(to address: WebURL) -> WebURL {
    var url = address
    var items: [(String, String?)] = [
      ("country", country), ("category", category), ("sources", sources.joined(separator: ",")),
      ("domains", domains.joined(separator: ",")), ("q", query), ("language", language),
    ]
    if kind == .everything {
      items += [
        ("excludeDomains", excludedDomains.joined(separator: ",")),
        ("searchIn", searchIn.joined(separator: ",")), ("from", from?.sent), ("to", to?.sent),
        ("sortBy", sortBy),
      ]
    }
    for (name, value) in items {
      if let value, !value.isEmpty { url.append(query: name, value) }
    }
    return url
  }

  // MARK: - Mistakes

  /// Finds what NewsAPI would refuse.
  func check(_ options: Options, _ diagnostics: inout Diagnostics) {
    checkNames(options, &diagnostics)
    if sources.count > Self.mostSources {
      diagnostics.error(
        "too-many",
        "“sources” has \(sources.count) sources, but NewsAPI takes \(Self.mostSources)",
        at: options.location("sources"), hint: "split them over several declarations")
    }
    if let query, query.count > Self.longestQuery {
      diagnostics.error(
        "too-long",
        "“query” has \(query.count) characters, but NewsAPI takes \(Self.longestQuery)",
        at: options.location("query"), hint: "split it over several declarations")
    }
    for (name, date) in [("from", from), ("to", to)] {
      if date == nil, let text = options.given(name)?.string {
        diagnostics.error(
          "bad-date", "“\(name)” is “\(text)”, which is not a date", at: options.location(name),
          hint: "write 2024-03-01, 2024-03-01T12:00:00, or how long ago: -7d, -6h")
      }
    }
    if let from, let to, from.moments.lowerBound > to.moments.upperBound {
      diagnostics.error(
        "bad-date", "“from” (\(from.sent)) is after “to” (\(to.sent))",
        at: options.location("from"), hint: "from is the earlier one")
    }
  }

  private func checkNames(_ options: Options, _ diagnostics: inout Diagnostics) {
    let given = Self.options.filter { options.given($0) != nil }
    func refuse(_ names: [String], _ hint: String) {
      for name in given where names.contains(name) {
        diagnostics.error(
          "unused-key", "NewsAPI does not take “\(name)” at the endpoint \(kind.rawValue)",
          at: options.location(name), hint: hint)
      }
    }
    func need(_ names: [String]) {
      let found = given.filter(names.contains)
      if found.contains(where: { !isEmpty($0, options) }) { return }
      let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      let rule = "NewsAPI needs \(all) at the endpoint \(kind.rawValue)"
      for name in found {
        diagnostics.error(
          "missing-value", "“\(name)” is empty", at: options.location(name), hint: rule)
      }
      if found.isEmpty {
        diagnostics.error(
          "missing-key", rule, at: options.node.location, hint: "give at least one of them")
      }
    }
    switch kind {
    case .topHeadlines:
      need(["country", "category", "sources", "query", "language"])
      refuse(
        ["from", "to", "sort_by", "domains", "exclude_domains", "search_in"],
        "endpoint: everything takes it")
      if !sources.isEmpty {
        refuse(["country", "category"], "give either sources or country and category")
      }
    case .everything:
      need(["query", "sources", "domains"])
      refuse(["country", "category"], "endpoint: top-headlines takes it")
    case .sources:
      refuse(
        [
          "query", "sources", "domains", "exclude_domains", "search_in", "from", "to", "sort_by",
        ], "leave it out")
    }
  }

  private func isEmpty(_ name: String, _ options: Options) -> Bool {
    (options.texts(name) ?? []).allSatisfy { text in
      text.split(separator: ",").allSatisfy { Self.trimmed($0).isEmpty }
    }
  }
}
