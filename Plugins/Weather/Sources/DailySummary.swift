import AggregateCore

/// One reading per local date, for a service that forecasts by the hour only.
///
/// The rule: temperature, feels-like, humidity, pressure and clouds are means; minimum and maximum
/// are those of the day's readings; wind speed and gust are the largest, the wind's direction is the
/// one at the largest speed; precipitation and snow are sums; the description is that of the reading
/// nearest to noon.
enum DailySummary {
  /// Summarizes readings; the dates come in the order of their first readings.
  static func summarize(_ readings: [Reading]) -> [Reading] {
    var days: [[Reading]] = []
    var places: [CalendarDate: Int] = [:]
    for reading in readings {
      guard let date = reading.date else { continue }
      if let place = places[date] {
        days[place].append(reading)
      } else {
        places[date] = days.count
        days.append([reading])
      }
    }
    return days.map(summary)
  }

  private static func summary(_ readings: [Reading]) -> Reading {
    func values(_ measure: Reading.Measure) -> [Double] { readings.compactMap { $0[measure] } }
    var day = Reading()
    day.date = readings.first?.date
    if let first = readings.first, let date = first.date {
      day.utcOffset = first.utcOffset
      day.time = Instant(date, microsecondsOfDay: -first.utcOffset * 1_000_000)
    }
    for measure in [Reading.Measure.temp, .feelsLike, .humidity, .pressure, .clouds] {
      let all = values(measure)
      if !all.isEmpty { day.compute(measure, all.reduce(0, +) / Double(all.count)) }
    }
    day[.tempMin] = (values(.tempMin) + values(.temp)).min()
    day[.tempMax] = (values(.tempMax) + values(.temp)).max()
    day[.windSpeed] = values(.windSpeed).max()
    day[.windGust] = values(.windGust).max()
    day[.windDirection] =
      readings.max { ($0[.windSpeed] ?? -1) < ($1[.windSpeed] ?? -1) }?[.windDirection]
    for measure in [Reading.Measure.precipitation, .snow] {
      let all = values(measure)
      if !all.isEmpty { day.compute(measure, all.reduce(0, +)) }
    }
    let noon = readings.min { distanceToNoon($0) < distanceToNoon($1) }
    day.condition = noon?.condition
    day.description = noon?.description
    return day
  }

  private static func distanceToNoon(_ reading: Reading) -> Int64 {
    guard let time = reading.time else { return .max }
    let local = time.microsecondsOfDay / 1_000_000 + reading.utcOffset
    let second = ((local % 86_400) + 86_400) % 86_400
    return abs(second - 43_200)
  }
}
