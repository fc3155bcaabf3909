import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateWeather

/// Answers of the real services, beside the project on some machines only.
private enum Corpus {
  static func folder(_ name: String) -> URL? {
    var folder = URL(filePath: #filePath)
    for _ in 0..<8 {
      folder.deleteLastPathComponent()
      let found = folder.appending(path: "shared/corpus/\(name)")
      if FileManager.default.fileExists(atPath: found.path) { return found }
    }
    return nil
  }

  /// An answer: the path of its file, the status and the body.
  struct Answer: Sendable, CustomTestStringConvertible {
    let path: String
    let status: Int
    let body: [UInt8]
    var testDescription: String { path }

    /// Foundation's view of the body.
    var object: [String: Any]? {
      (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
    }

    func document() throws -> JSONDocument { try JSONDocument(parsing: ByteBuffer(body)) }
  }

  static func answers(_ name: String) -> [Answer] {
    guard let folder = folder(name),
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String })
    else { return [] }
    return paths.filter { $0.hasSuffix(".json") }.sorted().compactMap { path in
      guard let data = try? Data(contentsOf: folder.appending(path: path)) else { return nil }
      guard path.hasSuffix(".http.json") else {
        return Answer(path: path, status: 200, body: Array(data))
      }
      guard let exchange = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any],
        let response = exchange["response"] as? [String: Any],
        let status = response["status"] as? Int
      else { return nil }
      return Answer(
        path: path, status: status, body: Array(((response["body"] as? String) ?? "").utf8))
    }
  }
}

/// Another reading of local times: Foundation's.
private func day(_ seconds: Int, offset: Int) -> String {
  var calendar = Calendar(identifier: .gregorian)
  calendar.timeZone = TimeZone(secondsFromGMT: offset) ?? .gmt
  let parts = calendar.dateComponents(
    [.year, .month, .day], from: Date(timeIntervalSince1970: TimeInterval(seconds)))
  return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
}

@Suite(.enabled(if: Corpus.folder("openweather") != nil, "the corpus is not here"))
struct OpenWeatherMapCorpusTests {
  private let service: OpenWeatherMap

  init() throws {
    service = OpenWeatherMap(base: try #require(WebURL("http://h")), access: noKey)
  }

  /// Rows that agree with Foundation's reading of the answer, or a clear error.
  @Test(arguments: Corpus.answers("openweather"), ["current", "forecast"])
  fileprivate func everyAnswerGivesItsRowsOrAClearError(
    _ answer: Corpus.Answer, _ modeName: String
  ) throws {
    let mode = try #require(Mode(rawValue: modeName))
    let items = Self.items(answer)
    let readings: [Reading]
    do {
      readings = try service.readings(in: answer.document(), mode)
    } catch let error as AggregateError {
      #expect(!error.message.isEmpty)
      #expect(items == nil || items?.isEmpty == true, "\(error)")
      return
    }
    let expected = try #require(items, "an error gives \(readings.count) rows")
    try #require(readings.count == expected.count)
    for (reading, item) in zip(readings, expected) { check(reading, item, answer) }
  }

  private func check(_ reading: Reading, _ item: [String: Any], _ answer: Corpus.Answer) {
    let main = item["main"] as? [String: Any]
    let daily = item["temp"] as? [String: Any]
    let wind = item["wind"] as? [String: Any]
    #expect(reading[.temp] == (main?["temp"] ?? daily?["day"]) as? Double)
    #expect(reading[.tempMin] == (main?["temp_min"] ?? daily?["min"]) as? Double)
    #expect(reading[.tempMax] == (main?["temp_max"] ?? daily?["max"]) as? Double)
    #expect(reading[.humidity] == ((main ?? item)["humidity"]) as? Double)
    #expect(reading[.pressure] == ((main ?? item)["pressure"]) as? Double)
    #expect(reading[.windSpeed] == (main == nil ? item["speed"] : wind?["speed"]) as? Double)
    #expect(reading[.windDirection] == (main == nil ? item["deg"] : wind?["deg"]) as? Double)
    #expect(
      reading[.clouds]
        == (main == nil ? item["clouds"] : (item["clouds"] as? [String: Any])?["all"]) as? Double)
    let weather = (item["weather"] as? [[String: Any]])?.first
    #expect(reading.description == weather?["description"] as? String)
    if let seconds = item["dt"] as? Int {
      let city = answer.object?["city"] as? [String: Any]
      let offset =
        ((item["sys"] as? [String: Any])?["timezone"] ?? item["timezone"] ?? city?["timezone"])
        as? Int ?? 0
      #expect(reading.time?.microseconds == Int64(seconds) * 1_000_000)
      #expect(reading.date?.iso8601 == day(seconds, offset: offset))
    }
  }

  /// The elements of an answer that are weather; nil when the answer as a whole is none.
  private static func items(_ answer: Corpus.Answer) -> [[String: Any]]? {
    guard let object = answer.object else { return nil }
    func isWeather(_ item: [String: Any]) -> Bool {
      (item["main"] as? [String: Any])?["temp"] != nil
        || (item["temp"] as? [String: Any])?["day"] != nil
    }
    if let cod = object["cod"], "\(cod)" != "200" { return nil }
    guard let list = object["list"] as? [[String: Any]] else {
      return isWeather(object) ? [object] : nil
    }
    return list.allSatisfy { isWeather($0) && $0["dt"] is Int } ? list : nil
  }

  @Test(arguments: Corpus.answers("openweather").filter { $0.path.contains("errors/") })
  fileprivate func errorBodiesSayWhatTheServiceSaid(_ answer: Corpus.Answer) throws {
    let error = #expect(throws: AggregateError.self) {
      try service.readings(in: answer.document(), .current)
    }
    if let said = answer.object?["message"] as? String, !said.isEmpty {
      #expect(error?.message.contains(said) == true)
    }
    if let cod = answer.object?["cod"] { #expect(error?.message.contains("\(cod)") == true) }
  }

  @Test(arguments: Corpus.answers("openweather").filter { $0.path.contains("forecast/") })
  fileprivate func daysOfAForecastHaveTheirExtremes(_ answer: Corpus.Answer) throws {
    guard let items = Self.items(answer), answer.path.contains("2015") || !items.isEmpty else {
      return
    }
    let days = try service.readings(in: answer.document(), .daily)
    #expect(Set(days.map { $0.date }).count == days.count)
    #expect(days.count <= items.count)
    for day in days {
      guard let low = day[.tempMin], let mean = day[.temp], let high = day[.tempMax] else {
        continue
      }
      #expect(low <= mean + 0.01 && mean <= high + 0.01)
    }
  }

  @Test func geocodingGivesPlaces() throws {
    for answer in Corpus.answers("openweather") where answer.path.contains("geocoding") {
      let places = try service.locations(in: answer.document())
      #expect(places.first?.name == "London")
      #expect(places.first?.country == "GB")
    }
  }
}

@Suite(.enabled(if: Corpus.folder("openmeteo") != nil, "the corpus is not here"))
struct OpenMeteoCorpusTests {
  private let service: OpenMeteo

  init() throws {
    let base = try #require(WebURL("http://h"))
    service = OpenMeteo(
      forecastBase: base, archiveBase: base, geocodingBase: base, key: nil)
  }

  /// The values of one measure by the names a block may have for it.
  private static let names: [(measure: Reading.Measure, hourly: [String], daily: [String])] = [
    (.temp, ["temperature_2m", "temperature"], ["temperature_2m_mean"]),
    (.tempMin, [], ["temperature_2m_min"]), (.tempMax, [], ["temperature_2m_max"]),
    (.humidity, ["relative_humidity_2m", "relativehumidity_2m"], []),
    (.windSpeed, ["wind_speed_10m", "windspeed_10m", "windspeed"], ["wind_speed_10m_max"]),
    (.clouds, ["cloud_cover", "cloudcover"], []),
    (.precipitation, ["precipitation"], ["precipitation_sum"]),
  ]

  @Test(arguments: Corpus.answers("openmeteo"), ["current", "hourly", "daily"])
  fileprivate func everyAnswerGivesItsRowsOrAClearError(
    _ answer: Corpus.Answer, _ modeName: String
  ) throws {
    let mode = try #require(Mode(rawValue: modeName))
    let readings: [Reading]
    do {
      readings = try service.readings(in: answer.document(), mode)
    } catch let error as AggregateError {
      #expect(error.message.hasPrefix("open-meteo"), "\(error)")
      let block = answer.object?[modeName] as? [String: Any] ?? [:]
      let known = Self.names.flatMap { mode == .daily ? $0.daily : $0.hourly }
      #expect(known.allSatisfy { block[$0] == nil }, "\(error)")
      return
    }
    let object = try #require(answer.object)
    let part = mode == .current && object["current"] == nil ? "current_weather" : modeName
    let block = try #require(object[part] as? [String: Any])
    let units = object["\(part)_units"] as? [String: Any] ?? [:]
    let offset = object["utc_offset_seconds"] as? Int ?? 0
    let times = block["time"] as? [String] ?? [block["time"] as? String ?? ""]
    try #require(readings.count == times.count)
    for (index, reading) in readings.enumerated() {
      #expect(reading.date?.iso8601 == String(times[index].prefix(10)))
      let clock = String(times[index].dropFirst(11).prefix(5))
      let naive = "\(times[index].prefix(10))T\(clock.isEmpty ? "00:00" : clock):00Z"
      let utc = try Date(naive, strategy: .iso8601).timeIntervalSince1970 - Double(offset)
      #expect(reading.time?.microseconds == Int64(utc) * 1_000_000)
      for (measure, hourly, daily) in Self.names {
        guard let name = (mode == .daily ? daily : hourly).first(where: { block[$0] != nil }) else {
          continue
        }
        let raw = (block[name] as? [Any])?[index] ?? block[name]
        let expected = (raw as? Double).map { Self.metric($0, units[name] as? String, name) }
        if let expected {
          #expect(abs((reading[measure] ?? .nan) - expected) < 0.0051, "\(name) at \(index)")
        } else {
          #expect(reading[measure] == nil, "\(name) at \(index)")
        }
      }
    }
  }

  private static func metric(_ value: Double, _ unit: String?, _ name: String) -> Double {
    switch unit ?? (name == "windspeed" ? "km/h" : "") {
    case "km/h": value * 1000 / 3600
    case "mp/h": value * 1609.344 / 3600
    case "kn": value * 1852 / 3600
    case "°F": (value - 32) / 1.8
    case "inch": value * 25.4
    default: value
    }
  }

  @Test(arguments: Corpus.answers("openmeteo").filter { $0.path.hasPrefix("errors/") })
  fileprivate func errorBodiesSayTheReason(_ answer: Corpus.Answer) throws {
    let error = #expect(throws: AggregateError.self) {
      try service.readings(in: answer.document(), .current)
    }
    let reason = try #require(answer.object?["reason"] as? String)
    #expect(error?.message == "open-meteo refused: \(reason)")
    let isPassing = reason.contains("limit") || reason.contains("overloaded")
    #expect(error?.code == (isPassing ? .unavailable : .rejected))
  }

  @Test(arguments: Corpus.answers("openmeteo").filter { $0.path.contains("geocoding") })
  fileprivate func geocodingGivesPlacesOrNone(_ answer: Corpus.Answer) throws {
    let places = try service.locations(in: answer.document())
    let results = answer.object?["results"] as? [[String: Any]] ?? []
    #expect(places.map(\.name) == results.map { $0["name"] as? String })
    #expect(places.map(\.country) == results.map { $0["country_code"] as? String })
    #expect(places.map(\.latitude) == results.map { $0["latitude"] as? Double })
  }

  @Test func otherServicesOfTheSameHouseAreNoWeather() throws {
    let others = Corpus.answers("openmeteo").filter {
      $0.path.contains("air-quality") || $0.path.contains("flood")
    }
    #expect(others.count >= 2)
    for answer in others {
      for mode in [Mode.hourly, .daily] {
        #expect(throws: AggregateError.self) { try service.readings(in: answer.document(), mode) }
      }
    }
  }

  @Test func answersForSeveralCoordinatesAreAList() throws {
    let one = #"{"utc_offset_seconds":0,"current":{"time":"2024-01-01T00:00","temperature_2m":1}}"#
    let readings = try service.readings(in: try JSONDocument("[\(one),\(one)]"), .current)
    #expect(readings.count == 2)
  }
}

/// A key that is not given.
private let noKey = ServiceKey(
  "api_key",
  of: Options(
    Node(.mapping([]), at: SourceLocation(file: "test", line: 1, column: 1)), specs: []),
  service: "openweathermap", page: OpenWeatherMap.keyPage, variable: "OPENWEATHERMAP_KEY")
