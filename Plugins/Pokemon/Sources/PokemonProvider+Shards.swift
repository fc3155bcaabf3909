public import AggregateCore
internal import AggregateJSON

extension PokemonProvider: ShardableProvider {
  /// Divides the names, or else the entries of the list; without a `limit` their number is asked for.
  public func shards(_ count: Int, _ context: ProviderContext) async throws -> [Shard] {
    if let names = endpoint.names {
      return Shard.runs(of: Array(names.prefix(endpoint.limit)), count: count).map {
        Shard([Shard.Setting("names", texts: $0)])
      }
    }
    var entries = endpoint.limit
    if endpoint.limit == .max {
      let response = try await context.http.send(endpoint.firstRequest(for: .list))
      let answer = try PokemonDecoder().decode(response)
      if endpoint.type != nil {
        entries = try endpoint.listing.entries(of: answer).count
      } else {
        guard let total = answer.document.root["count"]?.int64 else { return [.whole] }
        entries = max(0, Int(clamping: total) - endpoint.offset)
      }
    }
    let parts = max(1, min(count, entries))
    return (0..<parts).map { part in
      let (whole, rest) = (entries / parts, entries % parts)
      let start = whole * part + min(part, rest)
      return Shard([
        Shard.Setting("offset", json: String(endpoint.offset + start)),
        Shard.Setting("limit", json: String(whole + (part < rest ? 1 : 0))),
      ])
    }
  }
}
