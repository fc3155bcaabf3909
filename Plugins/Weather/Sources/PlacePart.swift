internal import Synchronization

/// A place as one service is asked for it.
public final class PlacePart: Sendable {
  /// What the services that are asked for a place share.
  final class Visit: Sendable {
    private let isEntered = Mutex(false)

    /// Whether the place is found for the first time.
    func isFirst() -> Bool {
      isEntered.withLock { isEntered in
        defer { isEntered = true }
        return !isEntered
      }
    }
  }

  let place: Place
  /// Its number among the places, from 0.
  let index: Int
  let service: any WeatherService
  let visit: Visit
  /// Whether other services failed before this one.
  let isStandIn: Bool
  private let known: Mutex<Location?>

  init(
    _ place: Place, _ index: Int, _ service: any WeatherService, _ visit: Visit,
    isStandIn: Bool = false
  ) {
    self.place = place
    self.index = index
    self.service = service
    self.visit = visit
    self.isStandIn = isStandIn
    if case .located(let location) = place { known = Mutex(location) } else { known = Mutex(nil) }
  }

  /// Where it is; nil while that is still to be found.
  var location: Location? { known.withLock { $0 } }

  /// Notes where it is.
  func found(_ location: Location) { known.withLock { $0 = location } }
}
