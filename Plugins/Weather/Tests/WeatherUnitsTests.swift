import Testing

@testable import AggregateWeather

@Suite struct WeatherUnitsTests {
  @Test(arguments: [
    (Reading.Measure.temp, 0.0, 32.0, 273.15), (.tempMin, -40, -40, 233.15),
    (.tempMax, 37.5, 99.5, 310.65), (.feelsLike, 21.3, 70.34, 294.45),
    (.windSpeed, 10, 22.37, 10), (.windGust, 4.4704, 10, 4.4704),
    (.precipitation, 25.4, 1, 25.4), (.snow, 10, 0.39, 10),
    (.humidity, 81, 81, 81), (.pressure, 1013.2, 1013.2, 1013.2), (.clouds, 75, 75, 75),
    (.windDirection, 270, 270, 270), (.dewPoint, 10, 50, 283.15),
    (.visibility, 16_093.44, 10, 16_093.44),
    (.uvIndex, 7.5, 7.5, 7.5), (.precipitationProbability, 80, 80, 80),
  ])
  func metricValuesAreConverted(
    _ measure: Reading.Measure, _ metric: Double, _ imperial: Double, _ standard: Double
  ) {
    #expect(WeatherUnits.metric.convert(metric, measure) == metric)
    #expect(WeatherUnits.imperial.convert(metric, measure) == imperial)
    #expect(WeatherUnits.standard.convert(metric, measure) == standard)
  }

  @Test func everyMeasureHasAUnitInEverySystem() {
    for measure in Reading.Measure.allCases {
      #expect(
        WeatherUnits.allCases.allSatisfy {
          ($0.unit(of: measure)?.isEmpty ?? true) == (measure == .uvIndex)
        })
    }
    #expect(WeatherUnits.imperial.unit(of: .windGust) == "mph")
    #expect(WeatherUnits.standard.unit(of: .temp) == "K")
  }
}
