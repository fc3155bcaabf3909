import AggregateCore

/// What computes one function over the rows of a frame, from its evaluated arguments.
typealias Kernel = @Sendable ([Operand], Frame) -> Operand

/// A compiled part of an expression.
indirect enum Plan: Sendable {
  case constant(Scalar)
  case column(ColumnReference)
  case apply(Kernel, [Plan])
  /// AND: a part is evaluated only where the ones before it are not false.
  case all([Plan])
  /// OR: a part is evaluated only where the ones before it are not true.
  case any([Plan])
  /// CASE: values are evaluated only where their condition is the first that is true.
  case choose([Branch], otherwise: Plan, ExpressionType)
  /// The first value that is not null, evaluated one after another.
  case coalesce([Plan], ExpressionType)
  /// The same without counting losses.
  case quiet(Plan)

  struct Branch: Sendable {
    let condition: Plan
    let value: Plan
  }

  func evaluate(_ frame: Frame) -> Operand {
    switch self {
    case .constant(let value): return .constant(value)
    case .column(let reference): return .column(frame.column(reference))
    case .apply(let kernel, let arguments):
      return kernel(arguments.map { $0.evaluate(frame) }, frame)
    case .quiet(let plan): return plan.evaluate(frame.quiet)
    case .all(let parts): return Self.logical(parts, frame, decisive: false)
    case .any(let parts): return Self.logical(parts, frame, decisive: true)
    case .choose(let branches, let otherwise, let type):
      return Self.choose(branches, otherwise, type, frame)
    case .coalesce(let parts, let type): return Self.coalesce(parts, type, frame)
    }
  }

  /// AND (`decisive` false) and OR (`decisive` true): one decisive part decides; else null if any is.
  private static func logical(_ parts: [Plan], _ frame: Frame, decisive: Bool) -> Operand {
    let count = frame.count
    var values = [Bool](repeating: !decisive, count: count)
    var nulls: [Bool]?
    var open = (0..<Int32(count)).map { $0 }
    for (index, part) in parts.enumerated() {
      if open.isEmpty { break }
      let isWhole = open.count == count
      let inner = isWhole ? frame : frame.subset(open)
      let found = inner.bools(part.evaluate(inner))
      let isLast = index == parts.count - 1
      var next: [Int32] = []
      if !isLast { next.reserveCapacity(open.count) }
      for (place, row) in open.enumerated() {
        if let foundNulls = found.nulls, foundNulls[place] {
          if nulls == nil { nulls = Array(repeating: false, count: count) }
          nulls?[Int(row)] = true
          if !isLast { next.append(row) }
        } else if found.values[place] == decisive {
          values[Int(row)] = decisive
          nulls?[Int(row)] = false
        } else if !isLast {
          next.append(row)
        }
      }
      open = next
    }
    return .bools(Vector(values, nulls: nulls))
  }

  private static func choose(
    _ branches: [Branch], _ otherwise: Plan, _ type: ExpressionType, _ frame: Frame
  ) -> Operand {
    var pieces: [Merge.Piece] = []
    var open = (0..<Int32(frame.count)).map { $0 }
    for branch in branches {
      if open.isEmpty { break }
      let inner = open.count == frame.count ? frame : frame.subset(open)
      let found = inner.bools(branch.condition.evaluate(inner))
      var taken: [Int32] = []
      var next: [Int32] = []
      for (place, row) in open.enumerated() {
        if found[place] == true { taken.append(row) } else { next.append(row) }
      }
      open = next
      if taken.isEmpty { continue }
      let chosen = taken.count == frame.count ? frame : frame.subset(taken)
      pieces.append(Merge.Piece(rows: taken, operand: branch.value.evaluate(chosen)))
    }
    if !open.isEmpty {
      let rest = open.count == frame.count ? frame : frame.subset(open)
      pieces.append(Merge.Piece(rows: open, operand: otherwise.evaluate(rest)))
    }
    return Merge.merged(pieces, type, frame)
  }

  private static func coalesce(
    _ parts: [Plan], _ type: ExpressionType, _ frame: Frame
  ) -> Operand {
    var pieces: [Merge.Piece] = []
    var open = (0..<Int32(frame.count)).map { $0 }
    for part in parts {
      if open.isEmpty { break }
      let inner = open.count == frame.count ? frame : frame.subset(open)
      let operand = part.evaluate(inner)
      let nulls = inner.nulls(operand)
      var places: [Int32] = []
      var taken: [Int32] = []
      var next: [Int32] = []
      for (place, row) in open.enumerated() {
        if nulls[place] {
          next.append(row)
        } else {
          taken.append(row)
          places.append(Int32(place))
        }
      }
      if !taken.isEmpty {
        let found = taken.count == inner.count ? operand : operand.gathered(places)
        pieces.append(Merge.Piece(rows: taken, operand: found))
      }
      open = next
    }
    return Merge.merged(pieces, type, frame)
  }
}

extension Frame {
  /// True where `operand` has no value.
  func nulls(_ operand: Operand) -> [Bool] {
    func of<T>(_ vector: Vector<T>) -> [Bool] {
      vector.nulls ?? Array(repeating: false, count: count)
    }
    switch operand {
    case .constant(let scalar): return Array(repeating: scalar == .null, count: count)
    case .intervals(let vector): return of(vector)
    case .column(.spans(let spans)): return spans.cells.map(\.kind.isNull)
    case .column(.ints(let vector)): return of(vector)
    case .column(.doubles(let vector)): return of(vector)
    case .column(.bools(let vector)): return of(vector)
    case .column(.instants(let vector)): return of(vector)
    case .column(.dates(let vector)): return of(vector)
    }
  }
}

/// Puts the values of branches together again.
enum Merge {
  /// Values for some rows of a frame.
  struct Piece {
    let rows: [Int32]
    let operand: Operand
  }

  /// One operand of `frame`'s rows; rows that no piece has are null.
  static func merged(_ pieces: [Piece], _ type: ExpressionType, _ frame: Frame) -> Operand {
    if pieces.count == 1, let only = pieces.first, only.rows.count == frame.count {
      return frame.converted(only.operand, to: type)
    }
    func scattered<T>(_ empty: T, _ read: (Frame, Operand) -> Vector<T>) -> Vector<T> {
      var values = [T](repeating: empty, count: frame.count)
      var nulls = [Bool](repeating: true, count: frame.count)
      for piece in pieces {
        let found = read(frame.subset(piece.rows), piece.operand)
        for (place, row) in piece.rows.enumerated() {
          guard let value = found[place] else { continue }
          values[Int(row)] = value
          nulls[Int(row)] = false
        }
      }
      return Vector(values, nulls: nulls.contains(true) ? nulls : nil)
    }
    switch type {
    case .int: return .ints(scattered(0) { $0.ints($1) })
    case .double, .decimal: return .doubles(scattered(0) { $0.doubles($1) })
    case .bool: return .bools(scattered(false) { $0.bools($1) })
    case .instant: return .instants(scattered(Instant(microseconds: 0)) { $0.instants($1) })
    case .date: return .dates(scattered(CalendarDate(days: 0)) { $0.dates($1) })
    case .interval: return .intervals(scattered(Interval()) { $0.intervals($1) })
    case .null: return .null
    case .text, .number, .json, .any: return cells(pieces, frame)
    }
  }

  private static func cells(_ pieces: [Piece], _ frame: Frame) -> Operand {
    var cells = [Cell](repeating: .null, count: frame.count)
    var out = ByteBuilder(capacity: frame.count * 8)
    for piece in pieces {
      if case .column(.spans(let spans)) = piece.operand {
        spans.withCells { bytes, source in
          for (place, row) in piece.rows.enumerated() {
            let cell = source[place]
            cells[Int(row)] = Cell(cell.kind, offset: out.count, length: cell.length)
            out.append(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
          }
        }
        continue
      }
      if case .constant(let scalar) = piece.operand {
        // The reader owns the bytes of a constant.
        let reader = CellReader(piece.operand)
        let cell = withExtendedLifetime(reader) {
          CellWriter.append(reader[0], isText: scalar.type == .text, &out)
        }
        for row in piece.rows { cells[Int(row)] = cell }
        continue
      }
      let reader = CellReader(piece.operand)
      withExtendedLifetime(reader) {
        for (place, row) in piece.rows.enumerated() {
          cells[Int(row)] = CellWriter.append(reader[place], isText: false, &out)
        }
      }
    }
    return .spans(SpanColumn(buffer: out.finish(), cells: cells))
  }
}

/// Writes single values as cells.
enum CellWriter {
  /// Appends `value` and gives its cell.
  static func append(_ value: CellValue, isText: Bool, _ out: inout ByteBuilder) -> Cell {
    let start = out.count
    let kind: CellKind
    switch value {
    case .null: return .null
    case .bool(let value): return Cell(value ? .true : .false)
    case .int(let value):
      out.append(String(value))
      kind = .integer
    case .double(let value):
      guard value.isFinite else { return .null }
      out.append(NumberText.shortest(value))
      kind = .real
    case .long(let bytes):
      out.append(bytes)
      kind = .integer
    case .text(let bytes):
      out.append(bytes)
      kind = .text
    case .nested(let bytes):
      out.append(bytes)
      kind = bytes.first == UInt8(ascii: "[") ? .array : .object
    case .instant, .date, .interval:
      out.append(value.shown)
      kind = .text
    }
    return Cell(kind, offset: start, length: out.count - start)
  }
}
