public import AggregateCore
import AggregateEarthquakes
import AggregateFile
import AggregateNews
import AggregatePokemon
import AggregateREST
import AggregateWeather

/// The list of providers: the one place in code that names them.
public enum Providers {
  /// All providers there are, in the order that help and reference list them.
  public static let all = ProviderRegistry([
    PokemonProvider.self, WeatherProvider.self, NewsProvider.self, EarthquakesProvider.self,
    RESTProvider.self, FileProvider.self, StdinProvider.self, CommandProvider.self,
  ])
}
