internal import AggregateCore
internal import CCurl
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The thread that runs all transfers of an engine, and its mailbox.
///
/// Everything but the mailbox and `wake()` belongs to the thread.
final class CurlLoop: @unchecked Sendable {
  private struct Mailbox {
    var added: [CurlTransfer] = []
    var cancelled: [UInt64] = []
    var isStopping = false
    /// Whether the thread waits for the network, and so has to be woken for mail.
    var isAsleep = false

    var isEmpty: Bool { added.isEmpty && cancelled.isEmpty && !isStopping }
  }

  /// How long the thread sleeps when nothing happens, in milliseconds.
  private static let idle: Int32 = 60_000

  private let multi: UnsafeMutableRawPointer
  private let mailbox = Mutex(Mailbox())
  private var active: [UInt64: CurlTransfer] = [:]
  /// No transfer is stalled before this: deadlines only move away while a transfer lasts.
  private var nextStall: ContinuousClock.Instant?

  /// Starts the thread; nil when libcurl or the system refuses.
  init?() {
    guard let multi = ccurl_multi_init() else { return nil }
    self.multi = multi
    _ = ccurl_multi_set_long(multi, Int32(CURLMOPT_MAXCONNECTS.rawValue), 64)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(&thread, nil, { CurlLoop.enter($0) }, context.toOpaque())
    guard code == 0 else {
      context.release()
      return nil
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  deinit { ccurl_multi_cleanup(multi) }

  #if canImport(Darwin)
    private static func enter(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }
  #else
    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let context else { return nil }
      Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }
  #endif

  /// Hands in a transfer; they begin in the order in which they were handed in.
  func add(_ transfer: CurlTransfer) { leave { $0.added.append(transfer) } }

  func cancel(_ id: UInt64) { leave { $0.cancelled.append(id) } }

  func stop() { leave { $0.isStopping = true } }

  /// Leaves mail, and wakes the thread if it sleeps: while it works it looks for mail by itself, and
  /// waking is dear.
  private func leave(_ mail: (inout Mailbox) -> Void) {
    let isAsleep = mailbox.withLock { mailbox in
      mail(&mailbox)
      defer { mailbox.isAsleep = false }
      return mailbox.isAsleep
    }
    if isAsleep { _ = ccurl_multi_wakeup(multi) }
  }

  private func run() {
    while true {
      let mail = mailbox.withLock { mailbox in
        let mail = mailbox
        mailbox.added = []
        mailbox.cancelled = []
        mailbox.isAsleep = false
        return mail
      }
      for transfer in mail.added {
        active[transfer.id] = transfer
        nextStall = nextStall.map { min($0, transfer.stallDeadline) }
        if ccurl_multi_add(multi, transfer.easy) != 0 {
          end(transfer) { $0.fail(WireFailure("libcurl refused the request")) }
        }
      }
      for id in mail.cancelled {
        if let transfer = active[id] { end(transfer) { $0.fail(CancellationError()) } }
      }
      if mail.isStopping {
        for transfer in active.values { end(transfer) { $0.fail(CancellationError()) } }
        return
      }
      var running: Int32 = 0
      _ = ccurl_multi_perform(multi, &running)
      finishTransfers()
      let milliseconds = endStalled()
      let maySleep = mailbox.withLock { mailbox in
        mailbox.isAsleep = mailbox.isEmpty
        return mailbox.isAsleep
      }
      if maySleep { _ = ccurl_multi_poll(multi, milliseconds) }
    }
  }

  /// Ends what is stalled; gives how long to sleep before looking again, in milliseconds.
  private func endStalled() -> Int32 {
    let now = ContinuousClock.now
    if nextStall.map({ $0 <= now }) ?? true {
      for transfer in active.values where transfer.isStalled(now) { end(transfer) { $0.stall() } }
      nextStall = active.values.lazy.map(\.stallDeadline).min()
    }
    guard let next = nextStall else { return Self.idle }
    return Int32(clamping: min(Int(Self.idle), (next - now).milliseconds + 1))
  }

  private func finishTransfers() {
    var code: Int32 = 0
    while let easy = ccurl_multi_finished(multi, &code) {
      guard let context = ccurl_get_private(easy) else { continue }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      end(transfer) { $0.complete(code) }
    }
  }

  private func end(_ transfer: CurlTransfer, _ tell: (CurlTransfer) -> Void) {
    _ = ccurl_multi_remove(multi, transfer.easy)
    active[transfer.id] = nil
    tell(transfer)
  }
}
