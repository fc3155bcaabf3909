import AggregateCore

/// From readings to rows, in the units asked for.
struct WeatherMapper: RowMapper {
  /// What the rows of one place need beside the readings.
  struct Origin: Sendable {
    let location: Location
    let service: String
  }

  let schema: Schema
  let units: WeatherUnits
  private let extra: [ExtraColumn]

  init(units: WeatherUnits, extra: [ExtraColumn] = []) {
    self.units = units
    self.extra = extra
    schema = Schema(WeatherProvider.columns(units, extra))
  }

  func map(_ readings: [Reading], of origin: Origin, into rows: inout BatchBuilder) throws {
    for reading in readings {
      rows.append(origin.location.name)
      rows.append(origin.location.country)
      rows.append(origin.location.latitude)
      rows.append(origin.location.longitude)
      rows.append(reading.time)
      rows.append(reading.date)
      for measure in Reading.Measure.usual { reading.append(measure, in: units, to: &rows) }
      rows.append(reading.condition)
      rows.append(reading.description)
      rows.append(origin.service)
      for column in extra { column.append(reading, of: origin.location, in: units, to: &rows) }
      rows.endRow()
    }
  }
}
