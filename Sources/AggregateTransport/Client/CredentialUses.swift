internal import AggregateCore

/// How often credentials were good.
///
/// Some services take a token only once, so that of several requests at the same time one is served and
/// the others are refused: those need another token, not an error.
struct CredentialUses {
  /// How many are remembered.
  private static let room = 64

  private var good: [(credentials: [Credential], count: Int)] = []

  /// Notes that `credentials` were good for a request.
  mutating func noteGood(_ credentials: [Credential]) {
    guard !credentials.isEmpty else { return }
    if let index = good.lastIndex(where: { $0.credentials == credentials }) {
      good[index].count += 1
      return
    }
    good.append((credentials, 1))
    if good.count > Self.room { good.removeFirst() }
  }

  /// Whether `credentials` were good once, and so may be used up rather than wrong.
  func wereGoodOnce(_ credentials: [Credential]) -> Bool {
    good.last { $0.credentials == credentials }?.count == 1
  }
}
