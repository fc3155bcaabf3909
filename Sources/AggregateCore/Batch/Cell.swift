/// What a cell holds, as it was read.
public enum CellKind: UInt8, Sendable, CaseIterable {
  /// The record has no such field.
  case absent
  /// An explicit null (JSON `null`, an unquoted empty CSV field).
  case null
  /// UTF-8 text as it stands in the buffer.
  case text
  /// The inside of a JSON string that contains at least one backslash escape.
  case escapedText
  /// A number in JSON's form without fraction and exponent.
  case integer
  /// A number in JSON's form with a fraction or an exponent.
  case real
  /// The boolean true.
  case `true`
  /// The boolean false.
  case `false`
  /// A JSON object, the span being its whole valid JSON text.
  case object
  /// A JSON array, the span being its whole valid JSON text.
  case array

  /// Whether the cell has no value: absent or null.
  @inlinable public var isNull: Bool { rawValue <= 1 }
  /// Whether the cell is text, escaped or not.
  @inlinable public var isText: Bool { self == .text || self == .escapedText }
  /// Whether the cell is a number.
  @inlinable public var isNumber: Bool { self == .integer || self == .real }
  /// Whether the cell is an object or an array.
  @inlinable public var isNested: Bool { rawValue >= 8 }
}

/// A span of a batch's byte buffer and what it holds, packed into eight bytes.
///
/// Layout, from the low bit: offset (32 bits), length (28 bits), kind (4 bits). The C++ reader
/// writes the same layout.
public struct Cell: Sendable, Hashable {
  /// The longest value a cell can hold, in bytes.
  public static let maximumLength = (1 << 28) - 1
  /// The largest offset a cell can have; buffers are cut before they reach it.
  public static let maximumOffset = Int(UInt32.max)

  /// The packed form.
  public let bits: UInt64

  /// Creates a cell from its packed form.
  @inlinable public init(bits: UInt64) { self.bits = bits }

  /// Creates a cell; `offset` and `length` must be within the maxima.
  @inlinable
  public init(_ kind: CellKind, offset: Int = 0, length: Int = 0) {
    precondition(length <= Self.maximumLength && offset <= Self.maximumOffset)
    bits =
      UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) << 32
      | UInt64(kind.rawValue) << 60
  }

  /// Where the value begins in the buffer.
  @inlinable public var offset: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
  /// How many bytes it has.
  @inlinable public var length: Int { Int(truncatingIfNeeded: (bits >> 32) & 0x0FFF_FFFF) }
  /// Where it lies in the buffer.
  @inlinable public var range: Range<Int> { offset..<(offset + length) }
  /// What it holds.
  @inlinable public var kind: CellKind {
    CellKind(rawValue: UInt8(truncatingIfNeeded: bits >> 60)) ?? .absent
  }

  /// A field the record does not have.
  public static let absent = Cell(.absent)
  /// An explicit null.
  public static let null = Cell(.null)
}
