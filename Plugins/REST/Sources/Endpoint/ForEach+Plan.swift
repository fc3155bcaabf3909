internal import AggregateCore

extension ForEach.Key {
  /// What a plan says of it.
  var plan: ProviderPlan.Key {
    let origin: ProviderPlan.Key.Origin
    let count: Int?
    switch self.origin {
    case .list(let items):
      origin = .list
      count = items.count
    case .range(let from, let to, let step):
      origin = .range(from: from, to: to, step: step)
      let (length, overflow) = to.subtractingReportingOverflow(from)
      count = to < from ? 0 : overflow ? nil : length / step + (length == .max ? 0 : 1)
    case .file(let path, let location):
      origin = .file(path)
      count = (try? ForEach.lines(path, location))?.count
    case .source(let source, let column, _):
      origin = .source(source.text, column: column.text)
      count = nil
    }
    return ProviderPlan.Key(name: name, origin: origin, count: count, batch: batch)
  }
}
