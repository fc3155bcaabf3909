public import AggregateCore

extension FileProvider: ShardableProvider {
  /// Divides the files, in the order they are read.
  public func shards(_ count: Int, _ context: ProviderContext) async throws -> [Shard] {
    Shard.runs(of: try files(), count: count).map { files in
      Shard([Shard.Setting("path", texts: files)])
    }
  }
}
