public import AggregateCore

/// One value of a document: a reference to the document and a place on its tape.
public struct JSONNode: Sendable {
  /// The document it belongs to.
  public let document: JSONDocument
  let index: Int

  init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  /// What it is and where it lies in the buffer; for a string, the inside of the quotes.
  public var cell: Cell { document.tape.cell(index) }

  /// What it is: null, text (escaped or not), integer, real, true, false, object or array.
  public var kind: CellKind { cell.kind }

  /// Where it lies in the buffer; for a string, the inside of the quotes.
  public var range: Range<Int> { cell.range }

  /// Where its whole JSON text lies in the buffer, the quotes of a string included.
  public var outerRange: Range<Int> {
    let cell = cell
    return cell.kind.isText ? cell.offset - 1..<cell.offset + cell.length + 1 : cell.range
  }

  /// Its JSON text as it stands in the document.
  public var rawText: String { document.buffer.text(outerRange) }

  /// How many elements or members it has; 0 when it is neither an array nor an object.
  public var count: Int { document.tape.childCount(index) }

  /// The value of the last member with this key, compared exactly; nil when there is none.
  ///
  /// - Complexity: O(members); nothing is allocated, unless a key has an escape.
  public subscript(key: String) -> JSONNode? {
    guard kind == .object else { return nil }
    var key = key
    let found = key.withUTF8 { place(of: UnsafeRawBufferPointer($0)) }
    return found.map { JSONNode(document: document, index: $0) }
  }

  private func place(of key: UnsafeRawBufferPointer) -> Int? {
    let tape = document.tape
    let end = tape.next(index)
    var found: Int?
    var at = index + 1
    while at < end {
      if Self.key(tape.cell(at), in: document.buffer, equals: key) { found = at + 1 }
      at = tape.next(at + 1)
    }
    return found
  }

  private static func key(
    _ cell: Cell, in buffer: ByteBuffer, equals key: UnsafeRawBufferPointer
  ) -> Bool {
    if cell.kind == .text {
      return cell.length == key.count && buffer.withUnsafeBytes { $0.has(key, in: cell.range) }
    }
    // An escape is never shorter than what it stands for.
    return cell.length >= key.count
      && EscapedText.decoded(buffer, cell.range).utf8.elementsEqual(key)
  }

  /// The element at `position`; nil when it is no array or has no such element.
  ///
  /// - Complexity: O(position).
  public subscript(position: Int) -> JSONNode? {
    guard kind == .array, position >= 0, position < count else { return nil }
    var at = index + 1
    for _ in 0..<position { at = document.tape.next(at) }
    return JSONNode(document: document, index: at)
  }

  /// The elements; none when it is no array.
  public var elements: JSONElements { JSONElements(of: self) }

  /// The members in their order, duplicates included; none when it is no object.
  public var members: JSONMembers { JSONMembers(of: self) }
}
