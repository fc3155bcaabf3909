public import AggregateCore

extension RESTProvider: ShardableProvider {
  /// Divides the values of the key of `for_each` that has the most; without one there is nothing to
  /// divide.
  ///
  /// Values of files and of other sources are written out, so that a shard needs neither.
  public func shards(_ count: Int, _ context: ProviderContext) async throws -> [Shard] {
    guard !forEach.keys.isEmpty else { return [.whole] }
    var values: [[String]] = []
    for key in forEach.keys { values.append(try await forEach.values(of: key, context)) }
    // The first key varies slowest, so dividing it keeps the order of the rows.
    let most = values.map(\.count).max() ?? 0
    let divided =
      (values.first?.count ?? 0) >= min(count, most)
      ? 0 : values.firstIndex { $0.count == most } ?? 0
    return Shard.runs(of: values[divided], count: count).map { run in
      let members = forEach.keys.indices.map { index in
        let list = index == divided ? run : values[index]
        return EscapedText.quoted(forEach.keys[index].name) + ":"
          + Shard.Setting("list", texts: list).json
      }
      return Shard([Shard.Setting("for_each", json: "{\(members.joined(separator: ","))}")])
    }
  }
}

extension ForEach {
  /// The values of one key, joined in batches.
  func values(of key: Key, _ context: ProviderContext) async throws -> [String] {
    var values: [String] = []
    try await self.values(of: key, context) { values.append($0) }
    return values
  }
}
