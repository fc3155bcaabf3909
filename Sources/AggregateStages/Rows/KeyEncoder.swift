internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Turns the values of chosen columns into bytes, one key per row.
///
/// Equal values have equal bytes and the order of the bytes is the order of the values: false, true,
/// numbers by their exact value (`1`, `1.0` and `1e0` are one number), text by its UTF-8 bytes, objects,
/// lists, and then null, which stands last whichever the direction. Absent is null. No key is a prefix
/// of another, so keys of several columns are their parts one behind the other.
struct KeyEncoder {
  /// For each column, whether larger values come first.
  let descending: [Bool]

  /// Creates an encoder for as many columns as `descending` has elements.
  init(descending: [Bool]) { self.descending = descending }

  /// Creates an encoder for `count` ascending columns.
  init(ascending count: Int) { descending = Array(repeating: false, count: count) }

  /// The keys of `rowCount` rows, which all `columns` have.
  func encode(_ columns: [Column], rowCount: Int) -> EncodedKeys {
    let parts = columns.map { EncodedColumn($0) }
    if parts.count == 1, let part = parts.first, !descending[0] {
      return EncodedKeys(bytes: part.bytes, starts: part.starts, nulls: part.nulls)
    }
    return merged(parts, rowCount)
  }

  private func merged(_ parts: [EncodedColumn], _ rowCount: Int) -> EncodedKeys {
    let total = parts.reduce(0) { $0 + $1.bytes.count }
    var out = ByteBuilder(capacity: total)
    var starts: [Int] = [0]
    starts.reserveCapacity(rowCount + 1)
    for row in 0..<rowCount {
      for (index, part) in parts.enumerated() {
        let range = part.starts[row]..<part.starts[row + 1]
        if descending[index], !(part.nulls?[row] ?? false) {
          part.bytes.withUnsafeBytes { source in
            out.append(maximum: range.count) { target in
              for i in 0..<range.count { target[i] = ~source[range.lowerBound + i] }
              return range.count
            }
          }
        } else {
          out.append(part.bytes, range)
        }
      }
      starts.append(out.count)
    }
    var nulls: [Bool]?
    for part in parts {
      guard let more = part.nulls else { continue }
      nulls = nulls.map { zip($0, more).map { $0 || $1 } } ?? more
    }
    return EncodedKeys(bytes: out.finish(), starts: starts, nulls: nulls)
  }
}

/// One column's part of the keys.
struct EncodedColumn {
  /// All parts, one behind the other.
  let bytes: ByteBuffer
  /// Where each part begins; one element more than there are rows.
  let starts: [Int]
  /// Which rows are null; nil when none is.
  let nulls: [Bool]?

  private enum Tag {
    static let no: UInt8 = 0x10
    static let yes: UInt8 = 0x11
    static let text: UInt8 = 0x40
    static let object: UInt8 = 0x50
    static let array: UInt8 = 0x51
    static let null: UInt8 = 0xFF
  }

  /// Encodes the values of `column`.
  init(_ column: Column) {
    let count = column.count
    var parts = Parts(count: count)
    switch column {
    case .spans(let spans):
      spans.withCells { source, cells in
        for row in 0..<count {
          let cell = cells[row]
          let text = UnsafeRawBufferPointer(rebasing: source[cell.range])
          switch cell.kind {
          case .absent, .null: parts.appendNull(row)
          case .text: Self.append(text, Tag.text, &parts.out)
          case .escapedText:
            var decoded = ByteBuilder(capacity: text.count)
            EscapedText.decode(text, into: &decoded)
            decoded.withUnsafeBytes { Self.append($0, Tag.text, &parts.out) }
          case .integer, .real: NumberKey.append(text, into: &parts.out)
          case .true: parts.out.append(Tag.yes)
          case .false: parts.out.append(Tag.no)
          case .object: Self.append(text, Tag.object, &parts.out)
          case .array: Self.append(text, Tag.array, &parts.out)
          }
          parts.starts.append(parts.out.count)
        }
      }
    case .ints(let values): parts.append(values) { NumberKey.append($0, into: &$1) }
    case .doubles(let values): parts.append(values) { NumberKey.append($0, into: &$1) }
    case .bools(let values): parts.append(values) { $1.append($0 ? Tag.yes : Tag.no) }
    case .dates(let values):
      parts.append(values) { date, out in
        out.append(Tag.text)
        ISOText.append(date, into: &out)
        out.append(literal: "\0\0")
      }
    case .instants(let values):
      parts.append(values) { instant, out in
        out.append(Tag.text)
        ISOText.append(instant, into: &out)
        out.append(literal: "\0\0")
      }
    }
    starts = parts.starts
    nulls = parts.nulls
    bytes = parts.finish()
  }

  /// The parts so far.
  private struct Parts: ~Copyable {
    var out: ByteBuilder
    var starts: [Int] = [0]
    var nulls: [Bool]?
    private let count: Int

    init(count: Int) {
      self.count = count
      out = ByteBuilder(capacity: count * 16)
      starts.reserveCapacity(count + 1)
    }

    mutating func appendNull(_ row: Int) {
      out.append(Tag.null)
      if nulls == nil { nulls = Array(repeating: false, count: count) }
      nulls?[row] = true
    }

    @inline(__always)
    mutating func append<T>(_ vector: Vector<T>, _ encode: (T, inout ByteBuilder) -> Void) {
      for row in 0..<count {
        if let value = vector[row] { encode(value, &out) } else { appendNull(row) }
        starts.append(out.count)
      }
    }

    consuming func finish() -> ByteBuffer { out.finish() }
  }

  /// Appends text so that a zero byte in it stays apart from the two that end it.
  @inline(__always)
  private static func append(
    _ text: UnsafeRawBufferPointer, _ tag: UInt8, _ out: inout ByteBuilder
  ) {
    out.append(maximum: 2 * text.count + 3) { target in
      target[0] = tag
      var end = 1
      if text.count > 0, let base = text.baseAddress, let to = target.baseAddress {
        if memchr(base, 0, text.count) == nil {
          (to + 1).copyMemory(from: base, byteCount: text.count)
          end += text.count
        } else {
          for byte in text {
            target[end] = byte
            end += 1
            if byte == 0 {
              target[end] = 0xFF
              end += 1
            }
          }
        }
      }
      target[end] = 0
      target[end + 1] = 0
      return end + 2
    }
  }
}
