internal import AggregateCore

/// Keeps the named columns and values, in the order they are named.
struct SelectStage: Stage {
  static let spec = StageSpec(
    "select", "Keep the named columns, in the order they are named.",
    options: [
      OptionSpec(
        "columns",
        .list(of: .either([.text, .map(of: .text, keys: "new name")]), orSingle: true),
        required: true,
        "Names of columns, paths such as city.name or weather.0.description, or new: path.",
        example: "[place, { city: city.name }]")
    ],
    shorthand: .value("columns"), positionals: ["columns"],
    discussion: """
      A name may be a path to a value inside a nested column; list elements are counted from 0. \
      A mapping `new: path` gives the column a new name. On the command line columns are \
      separated by commas, names with commas or spaces stand in quotes, and `new=path` renames.
      """,
    example: "select: [place, temp, { city: city.name }]")

  private struct Item: Sendable {
    let newName: String?
    let path: LocatedText
  }

  private let items: [Item]
  private let location: SourceLocation

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    location = options.location("columns")
    let node = options.node("columns")
    if let elements = node?.sequence {
      items = elements.flatMap(Self.items)
    } else {
      items = node.map { NameList.names(of: $0).map { Item(newName: nil, path: $0) } } ?? []
    }
  }

  private static func items(of node: Node) -> [Item] {
    if let path = LocatedText(node) { return [Item(newName: nil, path: path)] }
    return (node.mapping ?? []).compactMap { entry in
      LocatedText(entry.value).map { Item(newName: entry.key, path: $0) }
    }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let references = try schema.resolve(items.map(\.path))
    let columns = zip(items, references).map { item, reference in
      schema.columns[reference.index].picked(reference, as: item.newName)
    }
    return .rows(
      ColumnPicker(output: try schema.replacing(columns, at: location), references: references))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    ColumnDemand.of(try schema.resolve(items.map(\.path)), in: schema)
  }
}

extension ColumnSpec {
  /// The description of the column that `reference`, which leads into this one, becomes.
  func picked(_ reference: ColumnReference, as newName: String?) -> ColumnSpec {
    var column = self
    if !reference.subpath.isEmpty {
      let path = ColumnPath((self.path?.elements ?? [name]) + reference.subpath)
      column = ColumnSpec(path.description, .any, path: path)
    }
    if let newName, newName != column.name {
      column.name = newName
      column.path = nil
    }
    return column
  }
}
