public import AggregateCore
internal import CSimdjson

/// Cuts JSON bytes that arrive in blocks into chunks of whole records.
///
///     try chunker.append(block)
///     while let chunk = try chunker.next() { … }
///     chunker.finish()
///     while let chunk = try chunker.next() { … }
///
/// Where it cuts depends on the bytes alone, never on the sizes of the blocks. Memory is bounded by
/// the target size and the longest record, except for ``Mode/single``.
public struct JSONChunker: ~Copyable {
  /// What the bytes are.
  public enum Mode: Sendable, Hashable {
    /// Documents one per line, spanning lines, or following each other directly.
    case documents
    /// One array whose elements are the records.
    case array
    /// One document.
    case single
    /// One document; when it is an array, its elements are the records.
    case arrayOrSingle
  }

  /// Whole records and where they stood in the input.
  public struct Chunk: Sendable {
    /// The bytes, and maybe others around them.
    public let buffer: ByteBuffer
    /// Where the records are in `buffer`; they are whole, so it is to be read with `isLast`.
    public let range: Range<Int>
    /// How records follow each other in it.
    public let separator: RecordSeparator
    /// Where in the input the range begins.
    public let place: TextPlace

    /// Creates a chunk.
    public init(
      buffer: ByteBuffer, range: Range<Int>, separator: RecordSeparator, place: TextPlace
    ) {
      self.buffer = buffer
      self.range = range
      self.separator = separator
      self.place = place
    }

    /// The offset in the input of the first byte of `buffer`.
    public var offset: Int { place.byte - range.lowerBound }

    /// Where in the input the byte at `index` of `buffer` is, which is not before the range.
    public func place(at index: Int) -> TextPlace {
      buffer.withUnsafeBytes { bytes in
        place.advanced(over: bytes, in: range.lowerBound..<max(range.lowerBound, index))
      }
    }
  }

  /// How many bytes a chunk has when nothing else decides.
  public static let defaultSize = 1 << 20

  private enum Stage { case start, records, behindArray }

  private let mode: Mode
  private let targetSize: Int
  private var pending = ByteBuilder(capacity: 64 * 1024)
  /// Where the next chunk begins in `pending`.
  private var start = 0
  /// How far `pending` was looked at for the cut of the next chunk.
  private var scanned = 0
  private var scan = CSimdjsonScan()
  private var isScanning = false
  /// Where in the input the byte at `start` is.
  private var place = TextPlace()
  private var stage = Stage.start
  private var separator = RecordSeparator.whitespace
  private var isFinished = false
  /// Where the last whole element of the chunk under way ends; nil when there is none.
  private var elementEnd: Int?
  /// What is wrong behind the chunk that is handed out first.
  private var deferred: AggregateError?
  private var hasElements = false

  /// Creates a chunker that cuts at the first good place after `targetSize` bytes.
  public init(mode: Mode, targetSize: Int = JSONChunker.defaultSize) {
    self.mode = mode
    self.targetSize = max(1, targetSize)
  }

  /// Adds the bytes that arrived.
  public mutating func append(_ block: UnsafeRawBufferPointer) {
    pending.append(block)
  }

  /// Lets `body` write up to `maximum` arriving bytes in place; it returns how many it wrote.
  public mutating func append(
    maximum: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    pending.append(maximum: maximum, body)
  }

  /// Says that nothing more will arrive.
  public mutating func finish() { isFinished = true }

  /// The next chunk; nil when more bytes are needed, or at the end when there are no more.
  ///
  /// - Parameter isEager: Whether to hand out what whole lines there are although the chunk would be
  ///   small, because waiting for more would keep rows back.
  /// - Throws: `AggregateError` when the array that holds the records is malformed around them.
  public mutating func next(isEager: Bool = false) throws -> Chunk? {
    if let deferred { throw deferred }
    if stage == .start, try !begin() { return nil }
    switch (stage, separator) {
    case (.behindArray, _):
      try checkEnd()
      return nil
    case (_, .single): return isFinished ? takeRest() : nil
    case (_, .comma): return try nextElements(isEager: isEager)
    default: return nextDocuments(isEager: isEager)
    }
  }

  // MARK: The beginning

  /// Skips the byte-order mark and the bracket of an array; false when more bytes are needed.
  private mutating func begin() throws -> Bool {
    let count = pending.count
    if count < 3 && !isFinished { return false }
    let (first, byte) = pending.withUnsafeBytes { bytes -> (Int, UInt8?) in
      var i = 0
      if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { i = 3 }
      let content = i
      while i < count, Self.isSpace(bytes[i]) { i += 1 }
      return mode == .documents ? (content, nil) : (i, i < count ? bytes[i] : nil)
    }
    if mode != .documents && byte == nil && !isFinished { return false }
    pending.withUnsafeBytes { bytes in
      place.advance(over: bytes, in: 0..<first)
      // A byte order mark is no character.
      if first >= 3, bytes[0] == 0xEF, place.line == 1 { place.column -= 1 }
    }
    start = first
    stage = .records
    switch mode {
    case .documents: separator = .whitespace
    case .single: separator = .single
    case .array, .arrayOrSingle:
      if byte == UInt8(ascii: "[") {
        separator = .comma
        moveStart(to: start + 1)
      } else if mode == .array, byte != nil {
        throw malformed("expected an array of records, which begins with “[”", at: start)
      } else {
        separator = .single
      }
    }
    scanned = start
    return true
  }

  // MARK: Documents

  private mutating func nextDocuments(isEager: Bool) -> Chunk? {
    if !isScanning, let cut = lineCut() { return take(upTo: cut) }
    if !isScanning, pending.count - start >= 3 * targetSize {
      // There is no line to cut at, and there will hardly be one later.
      isScanning = true
      scan = CSimdjsonScan()
      scanned = start
    }
    if isScanning, let cut = scannedCut() { return take(upTo: cut) }
    if isFinished { return takeRest() }
    if isEager, let cut = lastLineCut() { return take(upTo: cut) }
    return nil
  }

  /// The first line end behind the target size that ends a document.
  ///
  /// A raw line end stands in no string, and a value directly before a value is found nowhere but
  /// between documents; so looking at the two bytes around the white space is enough.
  private mutating func lineCut() -> Int? {
    let from = max(scanned, start + targetSize)
    let limit = min(pending.count, start + 3 * targetSize)
    let (cut, next) = pending.withUnsafeBytes { bytes -> (Int?, Int) in
      var i = from
      while i < limit {
        guard let line = Self.firstLineEnd(bytes, in: i..<limit) else { return (nil, limit) }
        var after = line + 1
        while after < bytes.count, Self.isSpace(bytes[after]) { after += 1 }
        // What decides has not arrived yet.
        if after == bytes.count { return (nil, line) }
        if Self.beginsValue(bytes[after]), endsValue(bytes, before: line) { return (line + 1, 0) }
        i = after
      }
      return (nil, max(from, limit))
    }
    scanned = max(scanned, next)
    return cut
  }

  private func lastLineCut() -> Int? {
    pending.withUnsafeBytes { bytes -> Int? in
      var end = bytes.count
      while end > start {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        guard let base = rest.baseAddress else { return nil }
        let last = csimdjson_last(base.assumingMemoryBound(to: UInt8.self), rest.count, 10)
        guard last >= 0 else { return nil }
        let line = start + last
        var after = line + 1
        while after < bytes.count, Self.isSpace(bytes[after]) { after += 1 }
        if after == bytes.count {
          if isWhole(bytes, upTo: line) { return line + 1 }
        } else if Self.beginsValue(bytes[after]), endsValue(bytes, before: line) {
          return line + 1
        }
        end = line
        while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
      }
      return nil
    }
  }

  /// Whether nothing but whole documents stands before `end`.
  private func isWhole(_ bytes: UnsafeRawBufferPointer, upTo end: Int) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var scan = CSimdjsonScan()
    var found = false
    _ = csimdjson_scan(
      &scan, base.assumingMemoryBound(to: UInt8.self), start, end, false, end + 1, &found)
    return scan.depth == 0 && !scan.in_string
  }

  /// The first document end behind the target size, by counting brackets from the chunk's start.
  private mutating func scannedCut() -> Int? {
    scanOn(commas: false, accept: start + targetSize)
  }

  private mutating func scanOn(commas: Bool, accept: Int) -> Int? {
    var scan = self.scan
    var found = false
    let from = scanned
    let end = pending.withUnsafeBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return from }
      return csimdjson_scan(
        &scan, base.assumingMemoryBound(to: UInt8.self), from, bytes.count, commas, accept, &found)
    }
    self.scan = scan
    scanned = end
    return found ? end : nil
  }

  // MARK: Elements of an array

  private mutating func nextElements(isEager: Bool) throws -> Chunk? {
    while scanned < pending.count {
      // An eager caller needs every comma, the others only the first one that is far enough.
      let accept = isEager ? 0 : start + targetSize + 1
      guard let end = scanOn(commas: true, accept: accept) else { break }
      let delimiter = pending.withUnsafeBytes { $0[end - 1] }
      if delimiter != UInt8(ascii: ",") {
        if delimiter == UInt8(ascii: "}") {
          deferred = malformed(
            "expected “,” or “]” in the array of records, found “}”", at: end - 1)
        }
        stage = .behindArray
        if let chunk = try takeElements(upTo: end - 1, isLast: true) { return chunk }
        if let deferred { throw deferred }
        try checkEnd()
        return nil
      }
      if end - start > targetSize { return try takeElements(upTo: end - 1, isLast: false) }
      elementEnd = end - 1
    }
    if isFinished {
      let error = malformed("the array of records has no closing “]”", at: pending.count)
      deferred = error
      let isBlank = pending.withUnsafeBytes { $0[start...].allSatisfy(Self.isSpace) }
      if isBlank { throw error }
      return take(upTo: pending.count)
    }
    if isEager, let end = elementEnd { return try takeElements(upTo: end, isLast: false) }
    return nil
  }

  private mutating func takeElements(upTo end: Int, isLast: Bool) throws -> Chunk? {
    let isBlank = pending.withUnsafeBytes { bytes in bytes[start..<end].allSatisfy(Self.isSpace) }
    if isBlank {
      if !isLast || hasElements {
        throw malformed(
          "expected a value in the array of records, found “\(isLast ? "]" : ",")”", at: end)
      }
      moveStart(to: end + 1)
      return nil
    }
    hasElements = true
    return take(upTo: end, skipping: 1)
  }

  private mutating func checkEnd() throws {
    let extra = pending.withUnsafeBytes { bytes in
      bytes[start...].firstIndex { !Self.isSpace($0) }
    }
    if let extra {
      throw malformed("expected the end behind the array of records", at: extra)
    }
    moveStart(to: pending.count)
    pending.removeAll()
    start = 0
    scanned = 0
  }

  // MARK: Taking

  /// Hands out what stands before `end` and skips the delimiter behind it.
  private mutating func take(upTo end: Int, skipping delimiter: Int = 0) -> Chunk {
    let next = end + delimiter
    let rest = pending.count - next
    let first = place
    pending.withUnsafeBytes { place.advance(over: $0, in: start..<next) }
    let chunk: Chunk
    if rest > next - start {
      // The rest is longer than the chunk, so the chunk is what is copied.
      let range = start..<end
      let buffer = pending.withUnsafeBytes { bytes in
        ByteBuffer(capacity: range.count) { target in
          target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
          return range.count
        }
      }
      chunk = Chunk(
        buffer: buffer, range: 0..<range.count, separator: separator, place: first)
      start = next
    } else {
      let room = isFinished ? rest : targetSize + targetSize / 2
      var taken = ByteBuilder(capacity: max(rest, room))
      pending.withUnsafeBytes { taken.append(UnsafeRawBufferPointer(rebasing: $0[next...])) }
      swap(&pending, &taken)
      chunk = Chunk(
        buffer: taken.finish(), range: start..<end, separator: separator, place: first)
      scanned -= next
      start = 0
    }
    elementEnd = nil
    if separator == .comma {
      scanned = max(scanned, start)
    } else {
      scanned = start
      scan = CSimdjsonScan()
    }
    return chunk
  }

  private mutating func takeRest() -> Chunk? {
    guard start < pending.count else { return nil }
    return take(upTo: pending.count)
  }

  private mutating func moveStart(to index: Int) {
    pending.withUnsafeBytes { place.advance(over: $0, in: start..<index) }
    start = index
  }

  /// An error of the array around the records; its location has no file yet.
  private func malformed(_ message: String, at index: Int) -> AggregateError {
    let place = pending.withUnsafeBytes { bytes in
      self.place.advanced(over: bytes, in: start..<max(start, index))
    }
    return AggregateError(
      .badData, "\(message) at byte \(place.byte)", location: place.location(in: ""))
  }

  private func endsValue(_ bytes: UnsafeRawBufferPointer, before line: Int) -> Bool {
    var i = line
    while i > start, Self.isSpace(bytes[i - 1]) { i -= 1 }
    guard i > start else { return false }
    let byte = bytes[i - 1]
    return byte != UInt8(ascii: ",") && byte != UInt8(ascii: ":") && byte != UInt8(ascii: "{")
      && byte != UInt8(ascii: "[")
  }

  private static func firstLineEnd(
    _ bytes: UnsafeRawBufferPointer, in range: Range<Int>
  ) -> Int? {
    guard let base = bytes.baseAddress, !range.isEmpty else { return nil }
    let offset = csimdjson_first(
      base.assumingMemoryBound(to: UInt8.self) + range.lowerBound, range.count, 10)
    return offset < 0 ? nil : range.lowerBound + offset
  }

  private static func beginsValue(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: ",") && byte != UInt8(ascii: ":") && byte != UInt8(ascii: "}")
      && byte != UInt8(ascii: "]")
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 10 || byte == 13 || byte == 9
  }
}
