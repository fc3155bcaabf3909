public import AggregateCore
internal import CZlib

/// Compresses a stream with gzip, block by block.
///
/// The same bytes give the same output: no time and no name are in it. Used by one task at a time.
public final class GzipEncoder: StreamEncoder {
  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates an encoder of the usual strength.
  ///
  /// - Throws: ``AggregateError`` with code `internal` when memory is short.
  public convenience init() throws { try self.init(isRaw: false) }

  /// Creates an encoder; a raw one writes neither header nor checksum, as inside of a ZIP archive.
  ///
  /// - Throws: ``AggregateError`` with code `internal` when memory is short.
  init(isRaw: Bool) throws {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window; 16 more make it gzip rather than zlib, a minus sign makes it raw.
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, isRaw ? -15 : 15 + 16, 8, Z_DEFAULT_STRATEGY,
      zlibVersion(),
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      throw AggregateError(.internal, "zlib cannot be started (\(status))")
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Appends what is ready of the compressed form of all `bytes` so far.
  ///
  /// - Throws: ``AggregateError`` with code `internal` when zlib reports an error.
  public func encode(_ bytes: UnsafeRawBufferPointer, into out: inout ByteBuilder) throws {
    var start = 0
    while start < bytes.count {
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + 1 << 30)])
      // zlib does not write through `next_in`; its type is from before `const`.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: part.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = uInt(part.count)
      while stream.pointee.avail_in > 0 { _ = try step(Z_NO_FLUSH, into: &out) }
      start += part.count
    }
    stream.pointee.next_in = nil
  }

  /// Appends the rest and the checksum; the encoder is used up.
  ///
  /// - Throws: ``AggregateError`` with code `internal` when zlib reports an error.
  public func finish(into out: inout ByteBuilder) throws {
    stream.pointee.avail_in = 0
    while try step(Z_FINISH, into: &out) != Z_STREAM_END {}
  }

  /// The checksum (CRC-32) of bytes that come after those of `checksum`.
  static func checksum(_ bytes: UnsafeRawBufferPointer, after checksum: UInt32 = 0) -> UInt32 {
    UInt32(
      truncatingIfNeeded: crc32_z(
        uLong(checksum), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
  }

  private func step(_ flush: Int32, into out: inout ByteBuilder) throws -> Int32 {
    var status = Z_OK
    out.append(maximum: 64 * 1024) { target in
      stream.pointee.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = uInt(clamping: target.count)
      status = deflate(stream, flush)
      return target.count - Int(stream.pointee.avail_out)
    }
    guard status == Z_OK || status == Z_STREAM_END else {
      throw AggregateError(.internal, "zlib cannot compress (\(status))")
    }
    return status
  }
}
