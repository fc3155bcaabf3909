import AggregateCore
import AggregateJSON

/// One service that knows the weather: how it is asked, and what its answers mean.
///
/// The answers of every service become ``Reading``s, so that one row mapper serves all of them.
protocol WeatherService: Sendable {
  /// The name, as in `service:` and in the column of that name.
  var name: String { get }

  /// The request that finds the coordinates of a place.
  func locating(_ place: PlaceName) throws -> HTTPRequest

  /// The places in the answer to ``locating(_:)``, best first.
  func locations(in document: JSONDocument) throws -> [Location]

  /// The request for the weather at a location.
  func request(for location: Location, _ mode: Mode, _ period: Period) throws -> HTTPRequest

  /// The readings in an answer, in order of time.
  ///
  /// - Throws: ``AggregateError`` when the service says that something is wrong.
  func readings(in document: JSONDocument, _ mode: Mode) throws -> [Reading]

  /// The request for places whose names begin like the one that was not found; nil when it can't.
  func locatingLike(_ place: PlaceName) throws -> HTTPRequest?

  /// What is wrong when it can't be asked without a key; nil when it can.
  var missingKey: AggregateError? { get }

  /// What may help when the service answers with `status`; nil when nothing is sure to.
  func hint(for status: Int) -> String?
}

extension WeatherService {
  /// It can't.
  func locatingLike(_ place: PlaceName) throws -> HTTPRequest? { nil }

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
}
