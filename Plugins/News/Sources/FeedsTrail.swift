internal import AggregateCore
internal import Synchronization

/// The addresses that were asked on the way to a feed, so that pages do not lead in a circle.
final class FeedsTrail: Sendable {
  private let visited = Mutex<Set<String>>([])

  /// Notes an address; fragments are not part of it.
  func visit(_ url: WebURL) {
    visited.withLock { _ = $0.insert(Self.key(url)) }
  }

  /// Whether an address was asked.
  func has(_ url: WebURL) -> Bool { visited.withLock { $0.contains(Self.key(url)) } }

  private static func key(_ url: WebURL) -> String {
    String(url.description.prefix { $0 != "#" })
  }
}
