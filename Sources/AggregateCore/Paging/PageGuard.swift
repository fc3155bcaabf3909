/// Watches the pages of one part for servers that repeat themselves.
///
/// Progress outranks equality: a page behind a new token, or below a total, is a new one whatever its rows.
/// Else pages are compared by their rows. Two pages whose rows are equal are the same page when their
/// records are equal byte for byte, or when the rows of a page differ from each other, so that they
/// are not equal by chance; a column of few values on honest pages is no anomaly.
public struct PageGuard {
  /// How many pages without rows may follow each other.
  public static let maximumEmptyPages = 100

  /// What a page is.
  enum Verdict {
    /// A page of its own, as the one that is held is.
    case new
    /// In doubt: it is held until the next page tells.
    case held
    /// The page before once more, as the one that is held is: the end.
    case repeats
    /// No page any more, as a scroll ends.
    case end
  }

  private struct Print: Hashable {
    var rows = 0
    var count = 0
    var records = 0
    var areDistinct = false

    /// Two pages with such rows are hardly equal by chance.
    var isTelling: Bool { areDistinct && count > 1 }

    static func == (lhs: Print, rhs: Print) -> Bool {
      lhs.rows == rhs.rows && lhs.count == rhs.count
    }

    func hash(into hasher: inout Hasher) { hasher.combine(rows) }

    func isSame(as other: Print) -> Bool {
      count > 0 && rows == other.rows && count == other.count
        && (records == other.records || isTelling)
    }
  }

  /// A page that is to be told from others only if the next one is asked for as it was.
  private struct Last {
    let batch: Batch
    let records: () -> Int
  }

  /// The pages that were asked for by number.
  private var prints: [Print] = []
  /// The last page with such rows, of those whose rows differ from each other.
  private var places: [Print: Int] = [:]
  /// The page that the one in doubt looks like.
  private var likeness: Int?
  private var last: Last?
  private var seen: Set<String> = []
  private var current: String?
  private var index = 0
  private var emptyPages = 0
  /// Whether the server gave a page again though it said that there is more.
  private(set) var repeatsBelowTotal = false
  private let hint: String?

  /// Creates a guard of pages that are still to come.
  ///
  /// - Parameter hint: What to do about a server that ignores how it is asked for a page.
  init(hint: String? = nil) { self.hint = hint }

  /// Takes in the rows of the next page.
  ///
  /// - Parameters:
  ///   - progress: What says that it is a new one.
  ///   - records: A hash of the records as they were sent.
  /// - Throws: ``AggregateError`` with code `pagination` when the server goes round in circles.
  mutating func take(
    _ batch: Batch, _ progress: PageProgress, records: @escaping () -> Int
  ) throws -> Verdict {
    defer { index += 1 }
    if batch.rowCount == 0 {
      emptyPages += 1
      if emptyPages > Self.maximumEmptyPages {
        throw AggregateError(
          .pagination, "\(emptyPages) pages in a row had no rows, and another one is to follow")
      }
    } else {
      emptyPages = 0
    }
    switch progress {
    case .number: return try takeNumbered(batch, records)
    case .total:
      if !repeatsBelowTotal, batch.rowCount > 1, let last, last.batch.rowCount == batch.rowCount {
        let print = Self.print(batch, records)
        repeatsBelowTotal =
          print.isTelling && print.isSame(as: Self.print(last.batch, last.records))
      }
    case .token: break
    case .sameToken:
      if batch.rowCount == 0 { return .end }
      if let last, Self.print(batch, records).isSame(as: Self.print(last.batch, last.records)) {
        return .repeats
      }
    }
    last = Last(batch: batch, records: records)
    return .new
  }

  private mutating func takeNumbered(_ batch: Batch, _ records: () -> Int) throws -> Verdict {
    let print = Self.print(batch, records)
    let page = prints.count
    prints.append(print)
    if let like = likeness {
      likeness = nil
      if print.isSame(as: prints[like + 1]), like + 2 == page || print.isTelling {
        if like + 2 < page {
          throw AggregateError(
            .pagination,
            "pages \(page) and \(page + 1) have the same rows as pages \(like + 1) and \(like + 2): "
              + "the pages go round in a circle")
        }
        guard like == 0 else { return .repeats }
        throw AggregateError(
          .pagination,
          "pages 2 and 3 have the same rows as page 1: the server ignores how it is asked",
          hint: hint)
      }
    }
    if page > 0, print.isSame(as: prints[page - 1]) {
      likeness = page - 1
    } else if print.isTelling {
      likeness = places[print]
    }
    if print.isTelling { places[print] = page }
    return likeness == nil ? .new : .held
  }

  /// Whether a page was not asked for with `mark` before.
  func isNew(_ mark: String) -> Bool { mark != current && !seen.contains(mark) }

  /// Notes the request that asks for a page behind the first one.
  ///
  /// - Returns: Whether it is another one than that of the page just read.
  /// - Throws: ``AggregateError`` with code `pagination` when it was sent before that one.
  mutating func follow(_ mark: String, shown: String) throws -> Bool {
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
  private static func print(_ batch: Batch, _ records: () -> Int) -> Print {
    if batch.rowCount == 0 { return Print() }
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
    return Print(
      rows: whole.finalize(), count: batch.rowCount, records: records(),
      areDistinct: Set(hashes).count == hashes.count)
  }
}
