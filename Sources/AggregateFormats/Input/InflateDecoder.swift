internal import AggregateCore
internal import CZlib

/// Decompresses gzip and zlib streams; several members one after the other are one stream.
final class InflateDecoder: StreamDecoder {
  private let stream: UnsafeMutablePointer<z_stream>
  private var isBetweenMembers = false

  init() throws {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window; 32 more let zlib find out whether it is gzip or zlib.
    let status = inflateInit2_(
      stream, 15 + 32, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      throw AggregateError(.internal, "zlib cannot be started (\(status))")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func step(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
  ) throws(StreamDecoderError) -> (taken: Int, given: Int, mayEnd: Bool) {
    if isBetweenMembers {
      guard let first = input.first else { return (0, 0, true) }
      // Zeros, and whatever else is no further member, are padding.
      guard first == 0x1F else { return (input.count, 0, true) }
      guard inflateReset(stream) == Z_OK else {
        throw StreamDecoderError(message: "zlib cannot go on")
      }
      isBetweenMembers = false
    }
    if input.isEmpty { return (0, 0, false) }
    // zlib does not write through `next_in`; its type is from before `const`.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = uInt(clamping: input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = uInt(clamping: output.count)
    let status = inflate(stream, Z_NO_FLUSH)
    let taken = input.count - Int(stream.pointee.avail_in)
    let given = output.count - Int(stream.pointee.avail_out)
    switch status {
    case Z_STREAM_END: isBetweenMembers = true
    case Z_OK, Z_BUF_ERROR: break
    default:
      let message = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(status)"
      throw StreamDecoderError(message: message)
    }
    return (taken, given, isBetweenMembers)
  }
}
