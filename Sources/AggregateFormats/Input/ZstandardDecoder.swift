internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Decompresses Zstandard with the system's library, which is loaded when it is first needed.
final class ZstandardDecoder: StreamDecoder {
  private struct Input {
    var bytes: UnsafeRawPointer?
    var count: Int
    var position: Int
  }

  private struct Output {
    var bytes: UnsafeMutableRawPointer?
    var count: Int
    var position: Int
  }

  private typealias Create = @convention(c) () -> OpaquePointer?
  private typealias Free = @convention(c) (OpaquePointer?) -> Int
  private typealias Decompress = @convention(c) (
    OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer
  ) -> Int
  private typealias IsError = @convention(c) (Int) -> UInt32
  private typealias ErrorName = @convention(c) (Int) -> UnsafePointer<CChar>

  private let stream: OpaquePointer
  private let free: Free
  private let decompress: Decompress
  private let isError: IsError
  private let errorName: ErrorName
  private var mayEnd = false

  /// Loads the library.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when it is not installed.
  init(name: String) throws {
    let names = [
      "libzstd.so.1", "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib",
      "/usr/local/lib/libzstd.1.dylib",
    ]
    // The library stays loaded: other inputs may use it.
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first,
      let create = dlsym(library, "ZSTD_createDStream"),
      let free = dlsym(library, "ZSTD_freeDStream"),
      let decompress = dlsym(library, "ZSTD_decompressStream"),
      let isError = dlsym(library, "ZSTD_isError"),
      let errorName = dlsym(library, "ZSTD_getErrorName"),
      let stream = unsafeBitCast(create, to: Create.self)()
    else {
      throw AggregateError(
        .configuration, "\(name) is compressed with zstd, and libzstd is not installed",
        hint: "install libzstd, or decompress it into a pipe: zstd -dc FILE | aggregate …")
    }
    self.stream = stream
    self.free = unsafeBitCast(free, to: Free.self)
    self.decompress = unsafeBitCast(decompress, to: Decompress.self)
    self.isError = unsafeBitCast(isError, to: IsError.self)
    self.errorName = unsafeBitCast(errorName, to: ErrorName.self)
  }

  deinit { _ = free(stream) }

  func step(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
  ) throws(StreamDecoderError) -> (taken: Int, given: Int, mayEnd: Bool) {
    var source = Input(bytes: input.baseAddress, count: input.count, position: 0)
    var target = Output(bytes: output.baseAddress, count: output.count, position: 0)
    let result = decompress(stream, &target, &source)
    if isError(result) != 0 { throw StreamDecoderError(message: String(cString: errorName(result))) }
    if source.position > 0 || target.position > 0 { mayEnd = result == 0 }
    return (source.position, target.position, mayEnd)
  }
}
