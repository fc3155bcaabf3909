import AggregateCore
import AggregateNews
import AggregatePokemon
import AggregateTestSupport
import AggregateTransport
import AggregateWeather
import Foundation
import Testing

/// What the named providers make of every error that their services are known to answer with, over
/// real sockets.
@Suite(.serialized) struct ErrorBodiesTests {
  /// An answer that is an error, and what is asked for.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    /// Why it is refused: what two refusals share must be told in one way, and otherwise in different ones.
    let cause: String
    let provider: any Provider.Type
    /// `@BASE@` stands for the server, `@DEAD@` for one that refuses connections.
    let yaml: String
    /// What the message must name: the place, the feed, the identifier.
    let subject: String
    /// What the service said, when it said something.
    var said: String?
    let status: Int
    var type = "application/json"
    let body: [UInt8]
    /// The path that is refused; everything is, when it is nil.
    var path: String?
    /// What is answered elsewhere.
    var otherwise = "{}"

    var testDescription: String { name }
  }

  static let spot = "places: [{lat: 51.5, lon: -0.12, name: Spot}]"
  static let owm =
    "\(spot)\nservice: openweathermap\napi_key: k3y-0f-0wn\nbase_urls: {openweathermap: @BASE@}"
  static let meteo = "\(spot)\nbase_urls: {open-meteo: @BASE@}"
  static let news = "api_key: k3y-0f-0wn\ncountry: us\nbase_urls: {newsapi: @BASE@}"

  /// Where the saved answers are not beside the project, only the answers below are tried.
  @Test(.corpus("openweather"), .corpus("openmeteo"), .corpus("newsapi"))
  func thereAreSavedErrors() {
    #expect(Self.openWeatherMap.count >= 10)
    #expect(Self.openMeteo.count >= 5)
    #expect(Self.newsAPI.count >= 5)
  }

  /// The errors of OpenWeatherMap, each as an error of HTTP and inside a good answer.
  static var openWeatherMap: [Refusal] {
    SharedCorpus.answers("openweather").flatMap { answer -> [Refusal] in
      let root = try? OtherJSON(answer.body)
      let code = root?["cod"].number ?? root?["cod"].text.flatMap(Double.init)
      guard let code, code >= 400 else { return [] }
      let said = root?["message"].text.flatMap { $0.isEmpty ? nil : $0 }
      return [200, Int(code)].map { status in
        Refusal(
          name: "\(answer.path) with \(status)", cause: "openweathermap \(Int(code)) \(said ?? "")",
          provider: WeatherProvider.self, yaml: owm, subject: "Spot", said: said, status: status,
          body: answer.body)
      }
    }
  }

  static var openMeteo: [Refusal] {
    SharedCorpus.answers("openmeteo").filter { $0.path.hasPrefix("errors/") }.flatMap { answer in
      let said = (try? OtherJSON(answer.body))?["reason"].text
      return Set([200, answer.status]).sorted().map { status in
        Refusal(
          name: "\(answer.path) with \(status)", cause: "open-meteo \(said ?? "")",
          provider: WeatherProvider.self, yaml: meteo, subject: "Spot", said: said,
          status: status, body: answer.body)
      }
    }
  }

  static var newsAPI: [Refusal] {
    SharedCorpus.answers("newsapi").filter { $0.path.hasPrefix("errors/") }.compactMap { answer in
      let root = try? OtherJSON(answer.body)
      let code = root?["code"].text ?? ""
      // What it cuts off is a warning; the rows before stay.
      if code == "maximumResultsReached" { return nil }
      return Refusal(
        name: answer.path, cause: "newsapi \(code) \(root?["message"].text ?? "")",
        provider: NewsProvider.self, yaml: news, subject: "/top-headlines?country=us",
        said: root?["message"].text, status: answer.status, body: answer.body)
    }
  }

  /// Other answers that are seen in the wild: of front servers, of other services, of nothing.
  static let others: [Refusal] = {
    func refusal(
      _ cause: String, _ provider: any Provider.Type, _ yaml: String, _ subject: String,
      _ status: Int, _ type: String, _ body: String, path: String? = nil, otherwise: String = "{}"
    ) -> Refusal {
      Refusal(
        name: cause, cause: cause, provider: provider, yaml: yaml, subject: subject,
        status: status, type: type, body: Array(body.utf8), path: path, otherwise: otherwise)
    }
    let html = "<html><head><title>Sorry</title></head><body>Sorry</body></html>"
    let list = #"{"results":[{"name":"pikachu","url":"/api/v2/pokemon/25/"}]}"#
    let named = "places: [Lundun]\nbase_urls: {geocoding: @BASE@, open-meteo: @BASE@}"
    let keyed =
      "places: [Lundun]\nservice: openweathermap\napi_key: k3y-0f-0wn\nbase_urls: {openweathermap: @BASE@}"
    let feed = "feeds: ['@BASE@/feed']"
    return [
      refusal(
        "no such pokemon", PokemonProvider.self,
        "base_url: @BASE@\ndetail: true\nnames: [pikachoo]",
        "pikachoo", 404, "text/plain", "Not Found", path: "/pokemon/pikachoo", otherwise: list),
      refusal(
        "no such number", PokemonProvider.self,
        "base_url: @BASE@\nresource: berry\ndetail: true\nnames: [999]", "“999”", 404, "text/plain",
        "Not Found"),
      refusal(
        "no such type", PokemonProvider.self, "base_url: @BASE@\ntype: fier", "“fier”", 404,
        "text/plain", "Not Found", path: "/type/fier",
        otherwise: #"{"results":[{"name":"fire","url":"/type/10/"}]}"#),
      refusal(
        "a page for a pokemon", PokemonProvider.self,
        "base_url: @BASE@\ndetail: true\nnames: [pikachu]", "pikachu", 200, "text/html", html),
      refusal(
        "a pokemon of another service", PokemonProvider.self,
        "base_url: @BASE@\ndetail: true\nnames: [pikachu]", "pikachu", 200, "application/json",
        #"{"hello":1}"#),
      refusal(
        "a list of another service", PokemonProvider.self, "base_url: @BASE@", "results", 200,
        "application/json", #"{"hello":1}"#),
      refusal(
        "pokemon behind a broken front", PokemonProvider.self,
        "base_url: @BASE@\ndetail: true\nnames: [pikachu]", "pikachu", 503, "text/html", html),
      refusal(
        "no such place at open-meteo", WeatherProvider.self, named, "Lundun", 200,
        "application/json", #"{"generationtime_ms":0.1}"#),
      refusal(
        "no such place at openweathermap", WeatherProvider.self, keyed, "Lundun", 200,
        "application/json", "[]"),
      refusal(
        "a page for weather", WeatherProvider.self, meteo, "Spot", 200, "text/html", html),
      refusal(
        "weather behind a broken front", WeatherProvider.self, meteo, "Spot", 502, "text/html", html
      ),
      refusal(
        "another service for weather", WeatherProvider.self, meteo, "Spot", 200,
        "application/json", #"{"hello":1}"#),
      refusal(
        "another service for news", NewsProvider.self, news, "/top-headlines", 200,
        "application/json", #"{"hello":1}"#),
      refusal(
        "a page for news", NewsProvider.self, news, "/top-headlines", 200, "text/html", html),
      refusal(
        "a page that names no feed", NewsProvider.self, feed, "/feed", 200, "text/html", html),
      refusal(
        "a page whose feed is a page", NewsProvider.self, feed, "/rss", 200, "text/html", html,
        path: "/rss",
        otherwise:
          "<html><head><link rel=alternate type=application/rss+xml href=/rss></head></html>"),
      refusal(
        "JSON for a feed", NewsProvider.self, feed, "/feed", 200, "application/json",
        #"{"items":[{"id":1}]}"#),
      refusal(
        "broken JSON for a feed", NewsProvider.self, feed, "/feed", 200, "application/json",
        #"{"items":[{"id":"#),
      refusal(
        "other XML for a feed", NewsProvider.self, feed, "/feed", 200, "text/xml",
        "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>"),
      refusal(
        "words for a feed", NewsProvider.self, feed, "/feed", 200, "text/plain",
        "Too many connections"),
      refusal(
        "a picture for a feed", NewsProvider.self, feed, "/feed", 200, "image/png",
        "\u{89}PNG\r\n\u{1A}\n"),
      refusal(
        "no pokemon server", PokemonProvider.self,
        "base_url: @DEAD@\ndetail: true\nnames: [pikachu]", "pikachu", 200, "", ""),
      refusal(
        "no list server", PokemonProvider.self, "base_url: @DEAD@", "/pokemon?limit", 200, "", ""),
      refusal(
        "no weather server", WeatherProvider.self,
        meteo.replacing("@BASE@", with: "@DEAD@"), "Spot", 200, "", ""),
      refusal(
        "no news server", NewsProvider.self, news.replacing("@BASE@", with: "@DEAD@"),
        "/top-headlines", 200, "", ""),
      refusal(
        "no feed server", NewsProvider.self, feed.replacing("@BASE@", with: "@DEAD@"), "/feed", 200,
        "", ""),
      refusal(
        "news behind a broken front", NewsProvider.self, news, "/top-headlines", 502, "text/html",
        html),
      refusal("no such feed", NewsProvider.self, feed, "/feed", 404, "text/html", html),
      refusal("a feed that is gone", NewsProvider.self, feed, "/feed", 410, "text/html", html),
      refusal(
        "a feed that is not for us", NewsProvider.self, feed, "/feed", 403, "text/html", html),
      refusal(
        "a feed behind a broken front", NewsProvider.self, feed, "/feed", 503, "text/html", html),
    ]
  }()

  static let all = openWeatherMap + openMeteo + newsAPI + others

  /// The message and the hint with which the run of a source ends.
  private func told(_ refusal: Refusal) async throws -> (message: String, hint: String?)? {
    let server = try FixtureServer.start { request in
      let isRefused = refusal.path.map { request.path.hasSuffix($0) } ?? true
      let type =
        isRefused
        ? refusal.type : refusal.otherwise.hasPrefix("<") ? "text/html" : "application/json"
      return FixtureServer.Response(
        isRefused ? refusal.status : 200, isRefused ? refusal.body : Array(refusal.otherwise.utf8),
        headers: [HTTPField("Content-Type", type)])
    }
    defer { server.stop() }
    var policy = RequestPolicy()
    policy.attempts = 1
    let provider = try ProviderHarness.make(
      refusal.provider,
      refusal.yaml.replacing("@BASE@", with: "\(server.baseURL)")
        .replacing("@DEAD@", with: "http://127.0.0.1:9"))
    let transport = HTTPTransport(
      source: "src", wire: CurlEngine(userAgent: "aggregate/test"), policy: policy,
      slots: RequestSlots(4), log: .silent, redactor: Redactor())
    do {
      _ = try await ProviderHarness.run(provider, transport)
      return nil
    } catch let error as AggregateError {
      let base = "\(server.baseURL)"
      return (
        error.message.replacing(base, with: "@BASE@"), error.hint?.replacing(base, with: "@BASE@")
      )
    }
  }

  @Test func everyErrorNamesWhatItIsAboutAndWhatToDo() async throws {
    var causes: [String: Set<String>] = [:]
    var lines: [String] = []
    for refusal in Self.all {
      guard let (message, hint) = try await told(refusal) else {
        Issue.record("\(refusal.name) is no error")
        continue
      }
      let shown = "\(message); \(hint ?? "no hint")"
      lines.append("\(refusal.name): \(shown)")
      #expect(message.contains(refusal.subject), "\(refusal.name): \(shown)")
      let advises = hint != nil || message.hasSuffix(")")
      #expect(advises, "\(refusal.name) does not say what to do: \(shown)")
      if let said = refusal.said {
        let isTold = shown.contains(said.prefix(180))
        #expect(isTold, "\(refusal.name) leaves out “\(said)”: \(shown)")
      }
      for word in ["unexpected", "shape", "Optional(", "nil", "k3y-0f-0wn", "mismatch", "decod"] {
        #expect(!shown.contains(word), "\(refusal.name): \(shown)")
      }
      causes[shown, default: []].insert(refusal.cause)
    }
    for (shown, causes) in causes where causes.count > 1 {
      Issue.record("\(causes.sorted()) are told in one way: \(shown)")
    }
    // With AGGREGATE_SHOW_ERRORS=1 they can be read.
    if ProcessInfo.processInfo.environment["AGGREGATE_SHOW_ERRORS"] != nil {
      print(lines.joined(separator: "\n"))
    }
  }
}
