import AggregateCore
import AggregateJSON

/// A kind of thing that PokéAPI knows: where it is, and what its documents give.
struct PokemonResource: Sendable {
  /// What a document gives.
  enum Detail: Sendable {
    /// One row: `id`, `name`, these, `url`.
    case row([DetailField])
    /// A row for every step of an evolution.
    case evolution
  }

  /// The name, as in `resource:`.
  let name: String
  /// The path below the base address.
  let path: String
  let detail: Detail
  /// Whether its documents can be asked for by name.
  var hasNames = true
  /// The member in which the document of a type lists them; nil when it does not.
  var typeMember: String?

  /// All of them, in the order they are described.
  static let all = [
    PokemonResource(name: "pokemon", path: "pokemon", detail: .row(pokemon), typeMember: "pokemon"),
    .species,
    PokemonResource(name: "type", path: "type", detail: .row(type)),
    PokemonResource(name: "ability", path: "ability", detail: .row(ability)),
    PokemonResource(name: "move", path: "move", detail: .row(move), typeMember: "moves"),
    PokemonResource(name: "berry", path: "berry", detail: .row(berry)),
    PokemonResource(name: "item", path: "item", detail: .row(item)),
    PokemonResource(
      name: "evolution-chain", path: "evolution-chain", detail: .evolution, hasNames: false),
  ]

  /// The species, whose documents name their evolution chains.
  static let species = PokemonResource(
    name: "species", path: "pokemon-species", detail: .row(speciesFields))

  static func named(_ name: String) -> PokemonResource? { all.first { $0.name == name } }

  /// The columns of a list.
  static let listColumns = [idColumn, nameColumn, urlColumn]

  /// The columns with `detail: true`.
  var detailColumns: [ColumnSpec] {
    switch detail {
    case .row(let fields):
      [Self.idColumn, Self.nameColumn] + fields.map(\.column) + [Self.urlColumn]
    case .evolution: EvolutionStep.columns + [Self.urlColumn]
    }
  }

  /// The columns of every resource; one that several have is described by the first.
  static var allColumns: [ColumnSpec] {
    var columns = listColumns
    for column in all.flatMap(\.detailColumns)
    where !columns.contains(where: { $0.name == column.name }) {
      columns.append(column)
    }
    return columns
  }

  private static let idColumn = ColumnSpec("id", .int, description: "Number in PokéAPI.")
  private static let nameColumn = ColumnSpec("name", .text, description: "Name, in lower case.")
  private static let urlColumn = ColumnSpec("url", .text, description: "Address of the document.")
}
