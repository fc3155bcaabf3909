internal import AggregateCore
internal import CSimdjson
// Linked through its module map, for C++ sources link nothing by themselves.
private import SystemSimdjson

/// The values of a document in their order, sixteen bytes each, written once and then only read.
///
/// An object is followed by key, value, key, value …, an array by its elements; each node knows the
/// index behind its subtree.
final class JSONTape: @unchecked Sendable {
  /// Why no tape could be built.
  enum Failure: Error {
    case invalid
    case memory
  }

  let count: Int
  private let nodes: UnsafePointer<CSimdjsonNode>
  private let storage: UnsafeMutablePointer<CSimdjsonNode>

  /// Parses `range` of `buffer`, which must be shorter than ``Cell/maximumLength``.
  ///
  /// - Parameter members: The members of the root that the tape has; nil for all.
  init(_ buffer: ByteBuffer, _ range: Range<Int>, members: JSONMemberNames? = nil) throws(Failure) {
    precondition(range.count <= Cell.maximumLength && range.upperBound <= Cell.maximumOffset)
    var made: UnsafeMutablePointer<CSimdjsonNode>?
    var used = 0
    let status = buffer.withUnsafeBytes { bytes -> CSimdjsonTapeStatus in
      let text = bytes[range]
      guard let start = UnsafeRawBufferPointer(rebasing: text).baseAddress else {
        return CSimdjsonTapeInvalid
      }
      let build = { (names: UnsafePointer<CSimdjsonName>?, count: Int) in
        csimdjson_tape_build(
          start.assumingMemoryBound(to: UInt8.self), text.count, range.lowerBound, names, count,
          &made, &used)
      }
      return members?.withNames(build) ?? build(nil, 0)
    }
    guard status == CSimdjsonTapeGood, let made else {
      throw status == CSimdjsonTapeMemory ? .memory : .invalid
    }
    count = used
    storage = made
    nodes = UnsafePointer(made)
  }

  deinit { csimdjson_tape_free(storage) }

  /// What the node holds and where.
  @inline(__always)
  func cell(_ index: Int) -> Cell {
    precondition(index >= 0 && index < count)
    return Cell(bits: nodes[index].cell)
  }

  /// The index behind the node and all that is inside it.
  @inline(__always)
  func next(_ index: Int) -> Int {
    precondition(index >= 0 && index < count)
    return Int(nodes[index].next)
  }

  /// How many elements or members it has.
  @inline(__always)
  func childCount(_ index: Int) -> Int {
    precondition(index >= 0 && index < count)
    return Int(nodes[index].count)
  }
}
