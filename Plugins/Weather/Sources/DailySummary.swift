import AggregateCore

/// One reading per local date, for a service that forecasts by the hour only.
///
/// The rule: temperature, feels-like, humidity, pressure, clouds and visibility are means; minimum and
/// maximum are those of the day's readings; wind speed, gust and the probability of precipitation are the
/// largest, the wind's direction is the one at the largest speed; precipitation and snow are sums; the
/// description is that of the reading nearest to noon. A reading whose date is not known is one of its own.
enum DailySummary {
  /// Summarizes readings; the dates come in the order of their first readings.
  static func summarize(_ readings: [Reading]) -> [Reading] {
    var days: [[Reading]] = []
    var places: [CalendarDate: Int] = [:]
    for reading in readings {
      if let date = reading.date, let place = places[date] {
        days[place].append(reading)
      } else {
        if let date = reading.date { places[date] = days.count }
        days.append([reading])
      }
    }
    return days.map(summary)
  }

  private static func summary(_ readings: [Reading]) -> Reading {
    func values(_ measure: Reading.Measure) -> [Double] { readings.compactMap { $0[measure] } }
    var day = Reading()
    if let first = readings.first, let date = first.date {
      day.setTime(date, microsecondsOfDay: 0, offset: first.utcOffset)
    }
    for measure in [
      Reading.Measure.temp, .feelsLike, .humidity, .pressure, .clouds, .dewPoint, .visibility,
    ] {
      let all = values(measure)
      if !all.isEmpty { day.compute(measure, all.reduce(0, +) / Double(all.count)) }
    }
    for (measure, sources) in [
      (Reading.Measure.tempMin, [Reading.Measure.tempMin, .temp]), (.tempMax, [.tempMax, .temp]),
      (.windSpeed, [.windSpeed]), (.windGust, [.windGust]), (.uvIndex, [.uvIndex]),
      (.precipitationProbability, [.precipitationProbability]),
    ] {
      let sign: Double = measure == .tempMin ? -1 : 1
      let all = sources.flatMap { source in readings.map { (source, $0) } }
        .filter { $0.1[$0.0] != nil }
      let extreme = all.max { sign * ($0.1[$0.0] ?? 0) < sign * ($1.1[$1.0] ?? 0) }
      if let (source, reading) = extreme { day.take(measure, from: source, of: reading) }
    }
    let windiest = readings.max { ($0[.windSpeed] ?? -1) < ($1[.windSpeed] ?? -1) }
    if let windiest { day.take(.windDirection, from: .windDirection, of: windiest) }
    for measure in [Reading.Measure.precipitation, .snow] {
      let all = values(measure)
      if !all.isEmpty { day.compute(measure, all.reduce(0, +)) }
    }
    let noon = readings.min { distanceToNoon($0) < distanceToNoon($1) }
    day.condition = noon?.condition
    day.description = noon?.description
    day.timezone = readings.lazy.compactMap(\.timezone).first
    day.sunrise = readings.lazy.compactMap(\.sunrise).first
    day.sunset = readings.lazy.compactMap(\.sunset).first
    for loss in readings.flatMap(\.losses) { day.lose(loss.column, loss.kind, loss.text) }
    return day
  }

  private static func distanceToNoon(_ reading: Reading) -> Int64 {
    guard let time = reading.time else { return .max }
    let local = time.microsecondsOfDay / 1_000_000 + reading.utcOffset
    let second = ((local % 86_400) + 86_400) % 86_400
    return abs(second - 43_200)
  }
}
