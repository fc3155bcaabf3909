import AggregateCore

/// A place whose coordinates are known.
struct Location: Sendable, Hashable {
  var name: String
  var country: String?
  /// What the place lies in, by the service's names: state, county …; nil when it can't tell.
  var regions: [String]?
  var latitude: Double
  var longitude: Double
}

/// A name to be looked up, such as “Paris, TX, US”.
struct PlaceName: Sendable, Hashable {
  var name: String
  /// A state, province or other region: its name, or its code in the United States and Canada.
  var region: String?
  /// A country's two letters, in upper case.
  var country: String?

  /// Reads `Name`, `Name, CC` or `Name, Region, CC`; nil when it is none of them.
  init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      part.split(separator: " ").joined(separator: " ")
    }
    guard (1...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    name = parts[0]
    region = parts.count == 3 ? parts[1] : nil
    country = parts.count > 1 ? parts[parts.count - 1].uppercased() : nil
    if let country, country.utf8.count != 2 || !country.allSatisfy(\.isLetter) { return nil }
  }

  /// Whether it is a postal code rather than a name.
  var isPostalCode: Bool { name.contains(where: \.isNumber) }

  /// Whether a place that was found is meant.
  func fits(_ location: Location) -> Bool {
    if let country, let found = location.country, found.uppercased() != country { return false }
    guard let region, let regions = location.regions else { return true }
    let wanted = [region, Regions.name(of: region, in: country)].compactMap { $0?.lowercased() }
    return regions.contains { wanted.contains($0.lowercased()) }
  }

  /// How messages call it.
  var shown: String { [name, region, country].compactMap(\.self).joined(separator: ", ") }
}

/// A place as declared: a name or coordinates.
enum Place: Sendable, Hashable {
  case named(PlaceName)
  case located(Location)

  /// How messages call it.
  var shown: String {
    switch self {
    case .named(let name): name.shown
    case .located(let location): location.name
    }
  }
}
