public import AggregateCore
public import AggregateJSON

/// From readings to rows, in the units asked for.
public struct WeatherMapper: PageMapper {
  let schema: Schema
  let units: WeatherUnits
  private let wanted: Wanted
  /// The source that warnings are of; set when the source is run.
  var source = ""

  init(units: WeatherUnits, wanted: Wanted) {
    self.units = units
    self.wanted = wanted
    schema = Schema(WeatherProvider.columns(units, wanted.extra))
  }

  /// The schema of the rows.
  public var knownSchema: Schema? { schema }

  /// The rows of a place; none of the answer that only says where it is.
  public func rows(
    of page: Page<PlacePart, JSONDocument>, found: Schema?, log: RunLog
  ) throws -> [Batch] {
    guard let location = page.part.location else { return [] }
    let service = page.part.service
    var readings = try service.readings(in: page.payload, wanted.mode)
    if readings.isEmpty { return [] }
    if let days = wanted.period.dayCount, let perDay = service.readingsPerDay(wanted.mode) {
      let found = (readings.count + perDay - 1) / perDay
      if found < days {
        log.warn(
          "\(source): \(service.name) has \(found) \(found == 1 ? "day" : "days") of the "
            + "\(days) that are asked for")
      }
      // A day of the past has as many hours as the clocks made it have.
      if wanted.period.days != nil { readings = Array(readings.prefix(days * perDay)) }
    }
    for index in readings.indices { readings[index].noteOverflows(in: units) }
    for loss in readings.flatMap(\.losses) {
      try log.lost(
        column: loss.column, kind: loss.kind, count: 1,
        example: "\(loss.text) of \(page.part.place.shown)")
    }
    return [batch(of: readings, at: location, service.name)]
  }

  /// Readings of one place as rows.
  func batch(of readings: [Reading], at location: Location, _ service: String) -> Batch {
    var rows = BatchBuilder(schema: schema)
    for reading in readings {
      rows.append(location.name)
      rows.append(location.country)
      rows.append(location.latitude)
      rows.append(location.longitude)
      rows.append(reading.time)
      rows.append(reading.date)
      for measure in Reading.Measure.usual { reading.append(measure, in: units, to: &rows) }
      rows.append(reading.condition)
      rows.append(reading.description)
      rows.append(service)
      for column in wanted.extra { column.append(reading, of: location, in: units, to: &rows) }
      rows.endRow()
    }
    return rows.finish()
  }
}
