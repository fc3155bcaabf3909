import AggregateCore

extension WeatherProvider {
  /// What the samples answer, as a hint.
  static let sampled =
    "the sample has London, Paris and Tokyo, now and as forecasts, and of the past London from 2024-03-01 "
    + "to 2024-03-03; leave out --sample to ask the service"

  /// Recorded answers: of three cities, each matched by what it was recorded for and nothing else.
  ///
  /// What would be another question stands before what is matched, or directly behind it.
  static let samples: [ProviderSpec.Sample] =
    geocoding(
      ("London", "GB"),
      { PackageResources.geocoding_london_json }, { PackageResources.owm_geocoding_london_json })
    + geocoding(
      ("Paris", "FR"),
      { PackageResources.geocoding_paris_json }, { PackageResources.owm_geocoding_paris_json })
    + geocoding(
      ("Tokyo", "JP"),
      { PackageResources.geocoding_tokyo_json }, { PackageResources.owm_geocoding_tokyo_json })
    + forecasts(
      ("51.5", "-0.1"), { PackageResources.openmeteo_current_london_json },
      { PackageResources.openmeteo_hourly_london_json },
      { PackageResources.openmeteo_daily_london_json },
      { PackageResources.owm_current_london_json }, { PackageResources.owm_forecast_london_json })
    + forecasts(
      ("48.8", "2.3"), { PackageResources.openmeteo_current_paris_json },
      { PackageResources.openmeteo_hourly_paris_json },
      { PackageResources.openmeteo_daily_paris_json },
      { PackageResources.owm_current_paris_json }, { PackageResources.owm_forecast_paris_json })
    + ["139.6", "139.7"].flatMap { longitude in
      forecasts(
        ("35.6", longitude), { PackageResources.openmeteo_current_tokyo_json },
        { PackageResources.openmeteo_hourly_tokyo_json },
        { PackageResources.openmeteo_daily_tokyo_json },
        { PackageResources.owm_current_tokyo_json }, { PackageResources.owm_forecast_tokyo_json })
    }
    + [
      past("hourly=") { PackageResources.openmeteo_archive_hourly_json },
      past("daily=") { PackageResources.openmeteo_archive_daily_json },
    ]

  private typealias Body = @Sendable () -> [UInt8]

  private static func geocoding(
    _ place: (name: String, country: String), _ meteo: @escaping Body, _ owm: @escaping Body
  ) -> [ProviderSpec.Sample] {
    let (name, country) = place
    return [
      ProviderSpec.Sample(matching: ["/search?name=\(name)&count="], body: meteo),
      ProviderSpec.Sample(matching: ["/search?name=\(name)&countryCode=\(country)&"], body: meteo),
      ProviderSpec.Sample(matching: ["/geo/1.0/direct?q=\(name)&limit="], body: owm),
      ProviderSpec.Sample(matching: ["/geo/1.0/direct?q=\(name),\(country)&"], body: owm),
    ]
  }

  private static func forecasts(
    _ at: (latitude: String, longitude: String), _ current: @escaping Body,
    _ hourly: @escaping Body, _ daily: @escaping Body, _ owmCurrent: @escaping Body,
    _ owmForecast: @escaping Body
  ) -> [ProviderSpec.Sample] {
    let meteo = ["/forecast?latitude=\(at.latitude)", "&longitude=\(at.longitude)"]
    return [
      ProviderSpec.Sample(matching: meteo + ["current="], body: current),
      ProviderSpec.Sample(matching: meteo + ["hourly="], body: hourly),
      ProviderSpec.Sample(matching: meteo + ["daily="], body: daily),
      ProviderSpec.Sample(
        matching: ["/data/2.5/weather?lat=\(at.latitude)", "&lon=\(at.longitude)"],
        body: owmCurrent),
      ProviderSpec.Sample(
        matching: ["/data/2.5/forecast?lat=\(at.latitude)", "&lon=\(at.longitude)"],
        body: owmForecast),
    ]
  }

  private static func past(_ part: String, _ body: @escaping Body) -> ProviderSpec.Sample {
    ProviderSpec.Sample(
      matching: [
        "/archive?latitude=51.5", "&longitude=-0.1", part,
        "start_date=2024-03-01&end_date=2024-03-03",
      ], body: body)
  }
}
