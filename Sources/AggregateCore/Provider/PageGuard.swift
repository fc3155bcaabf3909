/// Watches the pages of one partition for servers that repeat themselves.
///
/// Pages are compared by their rows. Two pages whose rows are equal are the same page when their
/// records are equal byte for byte, or when the rows of a page differ from each other, so that they
/// are not equal by chance; a column of few values on honest pages is no anomaly.
public struct PageGuard {
  /// How many pages without rows may follow each other.
  public static let maximumEmptyPages = 100

  /// What a page is.
  public enum Verdict: Sendable {
    /// The page is new.
    case new
    /// The page is the one before it once more: the end.
    case repeatsLast
  }

  private struct Print: Hashable {
    var rows: Int
    var count: Int
  }

  private var pages: [Print: (page: Int, records: Int)] = [:]
  private var last: Print?
  private var seen: Set<String> = []
  private var current: String?
  private var index = 0
  private var emptyPages = 0
  private let hint: String?

  /// Creates a guard of pages that are still to come.
  ///
  /// - Parameter hint: What to do about a server that ignores how it is asked for a page.
  public init(hint: String? = nil) { self.hint = hint }

  /// Takes in the rows of the next page, which `response` holds all of.
  ///
  /// - Throws: ``AggregateError`` with code `pagination` when the server goes round in circles.
  public mutating func take(_ batch: Batch, of response: HTTPResponse) throws -> Verdict {
    var hash = WordHash()
    response.body.withUnsafeBytes { hash.combine($0) }
    return try take(batch, records: Int(truncatingIfNeeded: hash.value))
  }

  /// Takes in the rows of the next page.
  ///
  /// - Parameter records: A hash of the records as they were sent.
  /// - Throws: ``AggregateError`` with code `pagination` when the server goes round in circles.
  public mutating func take(_ batch: Batch, records: Int) throws -> Verdict {
    defer { index += 1 }
    guard batch.rowCount > 0 else {
      emptyPages += 1
      if emptyPages > Self.maximumEmptyPages {
        throw AggregateError(
          .pagination, "\(emptyPages) pages in a row had no rows, and another one is to follow")
      }
      return .new
    }
    emptyPages = 0
    let (hash, areDistinct) = Self.hash(batch)
    let print = Print(rows: hash, count: batch.rowCount)
    defer { last = print }
    guard let earlier = pages[print] else {
      pages[print] = (index, records)
      return .new
    }
    let isSame = earlier.records == records || (areDistinct && batch.rowCount > 1)
    guard isSame else { return .new }
    if print == last {
      if index == 1 {
        throw AggregateError(
          .pagination, "page 2 has the same rows as page 1: the server ignores how it is asked",
          hint: hint)
      }
      return .repeatsLast
    }
    guard batch.rowCount > 1 else { return .new }
    throw AggregateError(
      .pagination,
      "page \(index + 1) has the same rows as page \(earlier.page + 1): the pages go round in a circle"
    )
  }

  /// Whether a page was not asked for with `mark` before.
  public func isNew(_ mark: String) -> Bool { mark != current && !seen.contains(mark) }

  /// Notes the address or the token that the next page is asked for with.
  ///
  /// - Returns: False when it is the one of the page just read.
  /// - Throws: ``AggregateError`` with code `pagination` when it was used before.
  public mutating func follow(_ mark: String, shown: String) throws -> Bool {
    if mark == current { return false }
    guard seen.insert(mark).inserted else {
      throw AggregateError(
        .pagination,
        "page \(index) names a next page that was read already: \(shown)",
        hint: "the pages go round in a circle")
    }
    current = mark
    return true
  }

  /// A hash of the rows that does not depend on columns without values, nor on the order of columns:
  /// the columns of a source may be found while its pages are read.
  private static func hash(_ batch: Batch) -> (Int, areDistinct: Bool) {
    var hashes = Array(repeating: 0, count: batch.rowCount)
    for (spec, column) in zip(batch.schema.columns, batch.columns) {
      var name = Hasher()
      name.combine(spec.name)
      var start = WordHash()
      start.combine(UInt64(truncatingIfNeeded: name.finalize()))
      if case .spans(let spans) = column {
        spans.withCells { bytes, cells in
          for row in cells.indices where !cells[row].kind.isNull {
            var hasher = start
            hasher.combine(UInt64(cells[row].kind.rawValue))
            hasher.combine(UnsafeRawBufferPointer(rebasing: bytes[cells[row].range]))
            hashes[row] &+= Int(truncatingIfNeeded: hasher.value)
          }
        }
      } else {
        for row in hashes.indices {
          let value = column.value(at: row)
          if value.isNull { continue }
          var hasher = Hasher()
          hasher.combine(start.value)
          hasher.combine(value)
          hashes[row] &+= hasher.finalize()
        }
      }
    }
    var whole = Hasher()
    for hash in hashes { whole.combine(hash) }
    return (whole.finalize(), Set(hashes).count == hashes.count)
  }
}
