import AggregateCore
import AggregateJSON

/// What is wanted of a service.
struct Wanted: Sendable {
  var mode: Mode
  var period: Period
  var extra: [ExtraColumn]
}

/// One service that knows the weather: how it is asked, and what its answers mean.
///
/// The answers of every service become ``Reading``s, so that one row mapper serves all of them.
protocol WeatherService: Sendable {
  /// The name, as in `service:` and in the column of that name.
  var name: String { get }

  /// The host that is asked for the weather.
  var host: String { get }

  /// The request that finds the coordinates of a place.
  func locating(_ place: PlaceName) throws -> HTTPRequest

  /// The places in the answer to ``locating(_:)``, best first.
  func locations(in document: JSONDocument) throws -> [Location]

  /// The request for the weather at a location.
  func request(for location: Location, _ wanted: Wanted) throws -> HTTPRequest

  /// The readings in an answer, in order of time.
  ///
  /// - Throws: ``AggregateError`` when the service says that something is wrong.
  func readings(in document: JSONDocument, _ mode: Mode) throws -> [Reading]

  /// How many readings there are for a day that is asked for; nil when that is not known.
  func readingsPerDay(_ mode: Mode) -> Int?

  /// The requests for places whose names are like the one that was not found; none when it can't.
  func locatingLike(_ place: PlaceName) throws -> [HTTPRequest]

  /// What may help when a place is not found, and no other place of the name is.
  func missing(_ place: PlaceName) -> String?

  /// What is wrong when it can't be asked without a key; nil when it can.
  var missingKey: AggregateError? { get }

  /// What may help when the service answers with `status`; nil when nothing is sure to.
  func hint(for status: Int) -> String?
}

extension WeatherService {
  /// It can't.
  func locatingLike(_ place: PlaceName) throws -> [HTTPRequest] { [] }

  /// Nothing.
  func missing(_ place: PlaceName) -> String? { nil }

  /// None is needed.
  var missingKey: AggregateError? { nil }

  /// Parses a body; a failure names the address.
  func decode(_ response: HTTPResponse) throws -> JSONDocument {
    try JSONDocument(answer: response)
  }

  /// The address of `path` below `base`.
  func address(_ base: WebURL, _ path: String) -> WebURL {
    var url = base
    while url.path.hasSuffix("/") { url.path.removeLast() }
    url.path += path
    return url
  }

  /// A text of the service on one line.
  func line(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
