import AggregateCore
import AggregateJSON

/// Open-Meteo (https://open-meteo.com): no key, hourly values, the past, its own geocoding.
struct OpenMeteo: WeatherService {
  let name = "open-meteo"
  let forecastBase: WebURL
  let archiveBase: WebURL
  let geocodingBase: WebURL
  /// Key of a commercial subscription; the free service needs none.
  let key: String?

  var host: String { forecastBase.host }

  func locating(_ place: PlaceName) throws -> HTTPRequest {
    var url = address(geocodingBase, "/search")
    url.append(query: "name", place.name)
    if let country = place.country { url.append(query: "countryCode", country) }
    // The service knows no regions: the one meant is chosen among many of the name.
    url.append(query: "count", place.region == nil ? "10" : "100")
    url.append(query: "format", "json")
    return authorized(url)
  }

  func locatingLike(_ place: PlaceName) throws -> [HTTPRequest] {
    // The service finds names that begin with what is asked, from three letters on. Letters that changed
    // places are the mistake that a beginning does not survive.
    let name = Array(place.name)
    var beginnings = [String(name.prefix(max(3, name.count / 2)))]
    for index in 0..<min(3, name.count - 1) {
      var swapped = name
      swapped.swapAt(index, index + 1)
      // The capital stays in front.
      let beginning = String(swapped.prefix(3)).lowercased()
      beginnings.append(beginning.prefix(1).uppercased() + beginning.dropFirst())
    }
    var asked: [String] = []
    for beginning in beginnings where beginning != place.name && beginning.count > 2 {
      if !asked.contains(beginning) { asked.append(beginning) }
    }
    return asked.map { beginning in
      var url = address(geocodingBase, "/search")
      url.append(query: "name", beginning)
      if let country = place.country { url.append(query: "countryCode", country) }
      url.append(query: "count", "100")
      url.append(query: "format", "json")
      return authorized(url)
    }
  }

  private func authorized(_ url: WebURL) -> HTTPRequest {
    HTTPRequest(
      "GET", url, credentials: key.map { [Credential.query(name: "apikey", value: $0)] } ?? [])
  }

  func locations(in document: JSONDocument) throws -> [Location] {
    try throwIfError(document.root)
    let root = document.root
    // A miss has no `results` at all.
    if root.kind == .object, root["results"]?.isNull ?? true,
      root.count == 0 || root["generationtime_ms"] != nil
    {
      return []
    }
    guard let results = root["results"], results.kind == .array else {
      throw AggregateError(
        .badData, "open-meteo's answer has no list “results” of places: \(root.excerpt)",
        hint: "is the base address Open-Meteo's geocoding?")
    }
    return results.elements.compactMap { node in
      guard let latitude = node["latitude"]?.double, let longitude = node["longitude"]?.double
      else { return nil }
      return Location(
        name: node["name"]?.string ?? "", country: node["country_code"]?.string,
        region: node["admin1"]?.string,
        regions: (1...4).compactMap { node["admin\($0)"]?.string }, latitude: latitude,
        longitude: longitude)
    }
  }

  func request(for location: Location, _ wanted: Wanted) throws -> HTTPRequest {
    var url =
      switch wanted.period {
      case .ahead: address(forecastBase, "/forecast")
      case .past: address(archiveBase, "/archive")
      }
    // Before the place, so that no sample is taken for another time.
    if case .ahead(_, let past) = wanted.period, past > 0 {
      url.append(query: "past_days", String(past))
    }
    url.append(query: "latitude", NumberText.shortest(location.latitude))
    url.append(query: "longitude", NumberText.shortest(location.longitude))
    var names = OpenMeteoVariables.asked(wanted)
    let sun = wanted.extra.filter(\.isOfSun).map(\.rawValue)
    let part =
      switch wanted.mode {
      case .current: "current"
      case .forecast, .hourly: "hourly"
      case .daily: "daily"
      }
    if wanted.mode == .daily {
      names += sun
    } else if !sun.isEmpty {
      url.append(query: "daily", sun.joined(separator: ","))
    }
    url.append(query: part, names.joined(separator: ","))
    url.append(query: "timezone", "auto")
    url.append(query: "wind_speed_unit", "ms")
    switch wanted.period {
    case .ahead(let days, _):
      if wanted.mode != .current, let days { url.append(query: "forecast_days", String(days)) }
    case .past(let dates):
      url.append(query: "start_date", dates.lowerBound.iso8601)
      url.append(query: "end_date", dates.upperBound.iso8601)
    }
    return authorized(url)
  }

  func readingsPerDay(_ mode: Mode) -> Int? {
    switch mode {
    case .current: nil
    case .forecast, .hourly: 24
    case .daily: 1
    }
  }

  func readings(in document: JSONDocument, _ mode: Mode) throws -> [Reading] {
    // Several coordinates in one request are answered with a list.
    if document.root.kind == .array {
      return try document.root.elements.flatMap { try readings(in: $0, mode) }
    }
    return try readings(in: document.root, mode)
  }

  private func readings(in root: JSONNode, _ mode: Mode) throws -> [Reading] {
    try throwIfError(root)
    let offset = try Reading.offset(root["utc_offset_seconds"], "utc_offset_seconds", of: name)
    var readings: [Reading]
    switch mode {
    case .current:
      if let current = root["current"] {
        readings = [try reading(current, root["current_units"], offset)]
      } else if let current = root["current_weather"] {
        readings = [try reading(current, root["current_weather_units"], offset)]
      } else {
        throw missing("current", root)
      }
    case .forecast, .hourly:
      readings = try series(root, "hourly", OpenMeteoVariables.hourly, offset)
    case .daily:
      readings = try series(root, "daily", OpenMeteoVariables.daily, offset)
    }
    let timezone = root["timezone"]?.string
    for index in readings.indices { readings[index].timezone = timezone }
    addSun(of: root, offset, to: &readings)
    return readings
  }

  /// Sunrise and sunset are known by the day, in an answer by the hour too.
  private func addSun(of root: JSONNode, _ offset: Int64, to readings: inout [Reading]) {
    guard let daily = root["daily"], let days = daily["time"] else { return }
    func times(_ name: String) -> [Instant?] {
      daily[name]?.elements.map { time(of: $0, offset).time } ?? []
    }
    let (sunrises, sunsets) = (times("sunrise"), times("sunset"))
    if sunrises.isEmpty && sunsets.isEmpty { return }
    var places: [CalendarDate: Int] = [:]
    for (place, day) in days.elements.enumerated() {
      if let date = time(of: day, offset).date { places[date] = place }
    }
    for index in readings.indices {
      guard let place = readings[index].date.flatMap({ places[$0] }) else { continue }
      readings[index].sunrise = place < sunrises.count ? sunrises[place] : nil
      readings[index].sunset = place < sunsets.count ? sunsets[place] : nil
    }
  }

  private func series(
    _ root: JSONNode, _ part: String, _ variables: [OpenMeteoVariables.Variable], _ offset: Int64
  ) throws -> [Reading] {
    guard let block = root[part], let times = block["time"], times.kind == .array else {
      throw missing(part, root)
    }
    try checkHasWeather(block, variables, part)
    let units = root["\(part)_units"]
    var readings = times.elements.map { time(of: $0, offset) }
    for (measure, names) in variables {
      guard let (name, values) = first(names, in: block) else { continue }
      try checkIsList(values, "\(part).\(name)")
      let unit = units?[name]?.string
      for (index, value) in values.elements.enumerated() where index < readings.count {
        readings[index].read(measure, value, unit: unit) {
          OpenMeteoVariables.metric($0, measure, unit)
        }
      }
      noteLength(values, measure.column, in: &readings)
    }
    if let (name, codes) = first(OpenMeteoVariables.codes, in: block) {
      try checkIsList(codes, "\(part).\(name)")
      for (index, code) in codes.elements.enumerated() where index < readings.count {
        describe(&readings[index], code)
      }
      noteLength(codes, "condition", in: &readings)
    }
    return readings
  }

  /// Tells of a list that is not there for every time.
  private func noteLength(_ values: JSONNode, _ column: String, in readings: inout [Reading]) {
    guard !values.isNull, values.count != readings.count, !readings.isEmpty else { return }
    readings[readings.count - 1].lose(
      column, "is not there for every time, or there for more",
      "\(values.count) values for \(readings.count) times")
  }

  /// A variable is a list, or null altogether.
  private func checkIsList(_ values: JSONNode, _ name: String) throws {
    if values.isNull || values.kind == .array { return }
    throw AggregateError(
      .badData,
      "open-meteo's “\(name)” is \(line(values.shown)), where a list is expected",
      hint: "is the base address Open-Meteo itself?")
  }

  private func reading(
    _ block: JSONNode, _ units: JSONNode?, _ offset: Int64
  ) throws -> Reading {
    try checkHasWeather(block, OpenMeteoVariables.hourly, "current")
    var reading = Reading()
    if let time = block["time"] {
      reading = self.time(of: time, offset)
    } else {
      reading.lose("time", "is missing", "nothing")
    }
    for (measure, names) in OpenMeteoVariables.hourly {
      guard let (name, value) = first(names, in: block) else { continue }
      // The old `current_weather` block has no units of its own: km/h was the default.
      let unit = units?[name]?.string ?? (name == "windspeed" ? "km/h" : nil)
      reading.read(measure, value, unit: unit) { OpenMeteoVariables.metric($0, measure, unit) }
    }
    if let (_, code) = first(OpenMeteoVariables.codes, in: block) { describe(&reading, code) }
    return reading
  }

  /// Air quality, floods and others have the same frame around other values.
  private func checkHasWeather(
    _ block: JSONNode, _ variables: [OpenMeteoVariables.Variable], _ part: String
  ) throws {
    // The UV index is in answers about the air as well.
    let names =
      variables.filter { Reading.Measure.usual.contains($0.measure) }.flatMap(\.names)
      + OpenMeteoVariables.codes
    guard !names.contains(where: { block[$0] != nil }) else { return }
    let found = block.members.compactMap(\.key.string).filter { $0 != "time" }.prefix(5)
    let shown = found.isEmpty ? line(block.shown) : found.joined(separator: ", ")
    throw AggregateError(
      .badData, "open-meteo's “\(part)” has no weather, but \(shown)",
      hint: "is the base address one of Open-Meteo's weather services?")
  }

  /// Local times have no offset; `utc_offset_seconds` of the same answer is theirs.
  private func time(of node: JSONNode, _ offset: Int64) -> Reading {
    var reading = Reading()
    if let text = node.string, text.utf8.count >= 10 {
      let date = CalendarDate(iso8601: String(text.prefix(10)))
      if let date, text.utf8.count == 10 {
        reading.setTime(date, microsecondsOfDay: 0, offset: offset)
        return reading
      }
      if let time = Instant(iso8601: text)
        ?? Instant(iso8601: "\(text)Z").map({
          Instant(microseconds: $0.microseconds - offset * 1_000_000)
        })
      {
        let local = Instant(microseconds: time.microseconds + offset * 1_000_000)
        reading.setTime(local.date, microsecondsOfDay: local.microsecondsOfDay, offset: offset)
        return reading
      }
      if let date { reading.setTime(date, microsecondsOfDay: nil, offset: offset) }
    }
    if let seconds = node.wholeNumber, reading.setTime(epoch: seconds, offset: offset) {
      return reading
    }
    reading.lose("time", "is no time", node.excerpt)
    return reading
  }

  private func first(_ names: [String], in block: JSONNode) -> (String, JSONNode)? {
    for name in names {
      if let node = block[name] { return (name, node) }
    }
    return nil
  }

  private func describe(_ reading: inout Reading, _ node: JSONNode) {
    if node.isNull { return }
    guard let code = node.wholeNumber,
      let (condition, description) = Int(exactly: code).flatMap(WeatherCode.meaning)
    else { return reading.lose("condition", "is no weather code", node.excerpt) }
    reading.condition = condition
    reading.description = description
  }

  private func throwIfError(_ root: JSONNode) throws {
    guard root["error"]?.bool == true || root["error"]?.string == "true" else { return }
    let reason = root["reason"]?.string.map(line) ?? "no reason given"
    let status =
      reason.contains("limit exceeded") ? 429 : reason.contains("overloaded") ? 503 : 400
    throw AggregateError(
      status == 400 ? .rejected : .unavailable, "open-meteo refused: \(reason)",
      hint: hint(for: status), status: status)
  }

  private static let refusal =
    "check “places”, “days”, “start” and “end” against what it says; lat is from -90 to 90"
  private static let failing =
    "try again later, or name a second service: service: [open-meteo, openweathermap]"
  private static let limits =
    "the free service allows 600 requests a minute and 10,000 a day: set “rate_limit:”"

  func hint(for status: Int) -> String? {
    switch status {
    case 401, 403:
      key == nil
        ? "the free service needs no key, but this address does: put that of a subscription into "
          + "“api_key”; keys: https://open-meteo.com/en/pricing"
        : "“api_key” is for subscribers of Open-Meteo; the free service needs none"
    case 400: Self.refusal
    case 429: Self.limits
    case 500...: Self.failing
    default: nil
    }
  }

  private func missing(_ part: String, _ root: JSONNode) -> AggregateError {
    AggregateError(
      .badData, "open-meteo's answer has no “\(part)”: \(root.excerpt)",
      hint: "is the base address one of Open-Meteo?")
  }
}
