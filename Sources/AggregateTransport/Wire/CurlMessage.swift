internal import CCurl

/// Where libcurl writes what went wrong with a transfer: 256 bytes, which it ends with a zero.
///
/// It must outlive the transfer that writes into it.
final class CurlMessage {
  private static let size = Int(CURL_ERROR_SIZE)

  /// The memory, for libcurl.
  let memory: UnsafeMutableRawPointer

  init() {
    memory = .allocate(byteCount: Self.size, alignment: 1)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.size)
  }

  deinit { memory.deallocate() }

  /// What was written; empty when nothing was.
  var text: String {
    let bytes = UnsafeRawBufferPointer(start: memory, count: Self.size)
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
