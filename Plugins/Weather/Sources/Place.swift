import AggregateCore

/// A place whose coordinates are known.
struct Location: Sendable, Hashable {
  var name: String
  var country: String?
  /// The state, province or the like that it lies in, by the service's name for it.
  var region: String?
  /// What a region may be called that this place lies in: state, county …; nil when it can't tell.
  var regions: [String]?
  var latitude: Double
  var longitude: Double

  /// How messages call it.
  var shown: String { [name, country].compactMap(\.self).joined(separator: ", ") }

  /// Whether rows call it like another one: the keys of both would be the same.
  func isCalled(like other: Location) -> Bool {
    name.lowercased() == other.name.lowercased()
      && country?.uppercased() == other.country?.uppercased()
  }

  /// Whether it is at most so many degrees from another one, to the north and to the east.
  func isWithin(_ degrees: Double, of other: Location) -> Bool {
    let east = abs(longitude - other.longitude)
    return abs(latitude - other.latitude) <= degrees && min(east, 360 - east) <= degrees
  }
}

/// A name to be looked up, such as “Paris, TX, US”.
struct PlaceName: Sendable, Hashable {
  var name: String
  /// A state, province or other region: its name, or its code in the United States and Canada.
  var region: String?
  /// A country's two letters, in upper case.
  var country: String?

  /// Reads `Name`, `Name, Country`, `Name, State` or `Name, Region, Country`; nil when it is none of them.
  init?(_ text: String) {
    let parts = Self.parts(text)
    guard (1...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    name = parts[0]
    guard parts.count > 1 else { return }
    let last = parts[parts.count - 1]
    if let code = Countries.code(of: last) {
      country = code
      region = parts.count == 3 ? parts[1] : nil
    } else if parts.count == 2, let code = Regions.country(of: last) {
      country = code
      region = last
    } else {
      return nil
    }
  }

  private static func parts(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      part.split(separator: " ").joined(separator: " ")
    }
  }

  /// What would be valid instead of a text that is no place.
  static func hint(for text: String) -> String {
    let usual =
      "write London, “Paris, FR” or “Paris, TX, US”, with the country's two letters or its name, or "
      + "lat, lon and name"
    let parts = parts(text)
    guard parts.count == 2 || parts.count == 3, let last = parts.last, !last.isEmpty,
      let near = Countries.nearest(to: last)
    else { return usual }
    return "“\(last)” is no country; did you mean “\(near)”?"
  }

  /// Whether it is a postal code rather than a name: it has digits, and no word beside them.
  var isPostalCode: Bool {
    guard name.contains(where: \.isNumber) else { return false }
    return !name.split(whereSeparator: { !$0.isLetter }).contains { $0.count > 3 }
  }

  /// How rows call it: as it was declared, with the region that tells it from others of its name.
  var called: String {
    guard let region else { return name }
    return "\(name), \(Regions.code(of: region, in: country) ?? region)"
  }

  /// Whether a place that was found is meant.
  func fits(_ location: Location) -> Bool {
    if let country, let found = location.country, found.uppercased() != country { return false }
    guard let region, let regions = location.regions else { return true }
    let wanted = [region, Regions.name(of: region, in: country)].compactMap { $0?.lowercased() }
    return regions.contains { wanted.contains($0.lowercased()) }
  }

  /// How messages call it.
  var shown: String { [name, region, country].compactMap(\.self).joined(separator: ", ") }

  /// Whether both mean the same, in upper or lower case.
  func matches(_ other: PlaceName) -> Bool { shown.lowercased() == other.shown.lowercased() }
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

  /// The coordinates in a text such as `51.5,-0.12`; nil when it is none.
  init?(coordinates text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard parts.count == 2, let latitude = Self.degrees(parts[0]),
      let longitude = Self.degrees(parts[1])
    else { return nil }
    self = .located(
      Location(name: parts.joined(separator: ","), latitude: latitude, longitude: longitude))
  }

  private static func degrees(_ text: String) -> Double? {
    // Nothing but digits: “inf” and “0x1” are numbers of another kind.
    guard text.contains(where: \.isNumber),
      text.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" })
    else { return nil }
    return Double(text)
  }

  /// Whether both are the same as they are declared; those that are looked up may be it as well.
  func matches(_ other: Place) -> Bool {
    switch (self, other) {
    case (.named(let name), .named(let other)): name.matches(other)
    case (.located(let location), .located(let other)):
      location.latitude == other.latitude && location.longitude == other.longitude
    default: false
    }
  }
}
