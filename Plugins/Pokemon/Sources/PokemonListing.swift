import AggregateCore
import AggregateJSON

/// Where the entries of a list are: in a list of its own, or in the document of a type.
struct PokemonListing: Sendable {
  /// One entry of a list.
  struct Entry {
    let id: Int64
    let name: String?
    let url: String
  }

  /// The member of the answer that lists them, and the key of each, where there is one.
  private let member: String
  private let key: String?
  /// How many entries are left out first.
  private let offset: Int

  /// The listing of `resource`; of those that have `type`, when that is given.
  init(_ resource: PokemonResource, type: String? = nil, offset: Int = 0) {
    // A list is asked for from its offset on; the document of a type has all.
    self.offset = type == nil ? 0 : offset
    member = type == nil ? "results" : resource.typeMember ?? "results"
    key = type != nil && resource.name == "pokemon" ? "pokemon" : nil
  }

  /// The entries of an answer.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when it has no list of them.
  func entries(of answer: PokemonAnswer) throws -> [Entry] {
    let root = answer.document.root
    let place = answer.url.map { "\($0): " } ?? ""
    do {
      guard let results = root[member], !results.isNull else { throw noList(root) }
      guard results.kind == .array else { throw DetailForm.list(.named).refusal(of: results) }
      let entries = try results.elements.map { try entry($0, in: answer) }
      return Array(entries.dropFirst(offset))
    } catch var error as AggregateError {
      error.message = place + error.message
      throw error
    }
  }

  private func entry(_ element: JSONNode, in answer: PokemonAnswer) throws -> Entry {
    guard element.kind == .object else { throw DetailForm.named.refusal(of: element) }
    let entry = key.map { element[$0] } ?? element
    // Some lists (machines, evolution chains) have no names, all have addresses that end in the id.
    guard let url = entry?["url"]?.string, let id = JSONNode.number(endingAddress: url) else {
      throw AggregateError(
        .badData, "an entry of the list has no address: \(element.rawText.prefix(80))")
    }
    if let name = entry?["name"], !name.isNull, name.string == nil {
      throw DetailForm.text.refusal(of: name)
    }
    // A mirror may write addresses without its own host.
    let isWhole = url.hasPrefix("https://") || url.hasPrefix("http://")
    let resolved = isWhole ? nil : answer.url?.resolving(url)?.description
    return Entry(id: id, name: entry?["name"]?.string, url: resolved ?? url)
  }

  private func noList(_ root: JSONNode) -> AggregateError {
    let members =
      root.kind == .object && root.count > 0
      ? ": " + root.members.prefix(6).compactMap(\.key.string).joined(separator: ", ") : ""
    return AggregateError(
      .badData, "the answer has no list “\(member)”",
      hint: "it is \(root.shown)\(members); is “base_url” a PokéAPI?")
  }
}
