public import AggregateCore

extension WeatherProvider: ShardableProvider {
  /// Divides the places.
  public func shards(_ count: Int, _ context: ProviderContext) async throws -> [Shard] {
    Shard.runs(of: endpoint.places, count: count).map { places in
      Shard([
        Shard.Setting("places", json: "[\(places.map(\.json).joined(separator: ","))]")
      ])
    }
  }
}

extension Place {
  /// The place as it may be declared, as JSON.
  fileprivate var json: String {
    switch self {
    case .named(let name):
      let parts = [name.name, name.region, name.country].compactMap { $0 }
      return EscapedText.quoted(parts.joined(separator: ", "))
    case .located(let location):
      let country = location.country.map { ",\"country\":\(EscapedText.quoted($0))" } ?? ""
      return "{\"lat\":\(location.latitude),\"lon\":\(location.longitude),"
        + "\"name\":\(EscapedText.quoted(location.name))\(country)}"
    }
  }
}
