public import AggregateCore

extension RESTProvider: ShardableProvider {
  /// Divides the values of the key of `for_each` that has the most; without one there is nothing to
  /// divide.
  ///
  /// Values of files and of other sources are written out, so that a shard needs neither.
  public func shards(_ count: Int, _ context: ProviderContext) async throws -> [Shard] {
    let forEach = endpoint.forEach
    guard !forEach.keys.isEmpty else { return [.whole] }
    var values: [[ForEach.Item]] = []
    for key in forEach.keys { values.append(try await forEach.items(of: key, context)) }
    // The first key varies slowest, so dividing it keeps the order of the rows.
    let most = values.map(\.count).max() ?? 0
    let divided =
      (values.first?.count ?? 0) >= min(count, most)
      ? 0 : values.firstIndex { $0.count == most } ?? 0
    return Shard.runs(of: values[divided], count: count).map { run in
      let members = forEach.keys.indices.map { index in
        let list = index == divided ? run : values[index]
        let name = forEach.keys[index].name
        let texts = list.map { $0.json(of: name) }.joined(separator: ",")
        return EscapedText.quoted(name) + ":[\(texts)]"
      }
      return Shard([Shard.Setting("for_each", json: "{\(members.joined(separator: ","))}")])
    }
  }
}

extension ForEach.Item {
  /// The value as it is written in a list.
  fileprivate func json(of key: String) -> String {
    if with.isEmpty { return EscapedText.quoted(value) }
    let members = [(key, value)] + with.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return "{"
      + members.map { "\(EscapedText.quoted($0.0)):\(EscapedText.quoted($0.1))" }
      .joined(separator: ",") + "}"
  }
}
