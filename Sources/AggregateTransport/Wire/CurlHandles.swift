internal import CCurl
internal import Synchronization

/// libcurl's handles that no transfer uses at present.
///
/// A handle keeps its receive buffer and parsed defaults; making one anew for each request costs more
/// than all options that are set on it.
final class CurlHandles: Sendable {
  /// One handle; it is used by one transfer at a time.
  private struct Handle: @unchecked Sendable {
    let easy: UnsafeMutableRawPointer
  }

  /// How many are kept.
  private static let most = 64

  private let idle = Mutex<[Handle]>([])

  deinit { idle.withLock { for handle in $0 { ccurl_easy_cleanup(handle.easy) } } }

  /// A handle with no option set; nil when memory is exhausted.
  func take() -> UnsafeMutableRawPointer? {
    idle.withLock { $0.popLast() }?.easy ?? ccurl_easy_init()
  }

  /// Takes a handle back that no multi handle has any more.
  func giveBack(_ easy: UnsafeMutableRawPointer) {
    ccurl_easy_reset(easy)
    let handle = Handle(easy: easy)
    let isKept = idle.withLock { idle in
      guard idle.count < Self.most else { return false }
      idle.append(handle)
      return true
    }
    if !isKept { ccurl_easy_cleanup(easy) }
  }
}
