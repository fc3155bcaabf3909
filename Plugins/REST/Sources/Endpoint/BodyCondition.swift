internal import AggregateCore
internal import AggregateExpressions
internal import AggregateJSON

/// An expression over a decoded body: its columns are the keys of the body, and numbers of paging.
///
/// A key that the body does not have is null.
struct BodyCondition: Sendable {
  private let expression: Expression

  /// What was written.
  var text: String { expression.source.text }

  init?(_ node: Node, name: String, _ diagnostics: inout Diagnostics) {
    guard let text = LocatedText(node), let expression = Expression(text, &diagnostics) else {
      return nil
    }
    self.expression = expression
  }

  /// Whether it is true of an answer; a body that is no JSON object has the one column `value`.
  func holds(in response: HTTPResponse) -> Bool {
    let status: [(String, Value)] = [("status", .int(Int64(response.status)))]
    if let document = try? JSONDocument(parsing: response.body) {
      return holds(in: document.root, variables: status)
    }
    let text = EscapedText.quoted(response.body.text(0..<response.body.count))
    guard let document = try? JSONDocument(parsing: ByteBuffer(text)) else { return false }
    return holds(in: document.root, variables: status)
  }

  /// Whether it is true of a body; what the body itself names `page` wins over the variable.
  func holds(in root: JSONNode, variables: [(String, Value)]) -> Bool {
    var columns: [(String, Column)] = []
    for member in root.members {
      guard let name = member.key.string, name != Schema.overflowName else { continue }
      columns.removeAll { $0.0 == name }
      let spans = SpanColumn(buffer: root.document.buffer, cells: [member.value.cell])
      columns.append((name, .spans(spans)))
    }
    if root.kind != .object {
      columns.append(
        ("value", .spans(SpanColumn(buffer: root.document.buffer, cells: [root.cell]))))
    }
    for (name, value) in variables where !columns.contains(where: { $0.0 == name }) {
      if case .int(let number) = value { columns.append((name, .ints(Vector([number])))) }
    }
    // Each turn adds a column for a name that the body does not have.
    for _ in 0..<16 {
      let schema = Schema(columns.map { ColumnSpec($0.0) })
      do {
        let bound = try expression.bindCondition(schema)
        let batch = Batch(schema: schema, columns: columns.map(\.1), rowCount: 1)
        let rows = try bound.selectedRows(batch, label: "condition", log: .silent)
        return rows?.isEmpty ?? true ? rows == nil : true
      } catch let error as DiagnosticsError {
        guard let name = missing(error), !columns.contains(where: { $0.0 == name }) else {
          return false
        }
        columns.append((name, .nulls(1)))
      } catch {
        return false
      }
    }
    return false
  }

  /// The name of the unknown column that an error points at.
  private func missing(_ error: DiagnosticsError) -> String? {
    guard let first = error.diagnostics.first(where: { $0.code == "unknown-column" }),
      let place = first.location
    else { return nil }
    let source = expression.source
    let rest = source.text.dropFirst(max(0, place.column - source.location.column))
    if rest.first == "\"" { return String(rest.dropFirst().prefix { $0 != "\"" }) }
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }
}
