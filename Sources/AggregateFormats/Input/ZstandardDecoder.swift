internal import AggregateCore

/// Decompresses Zstandard with the system's library, which is loaded when it is first needed.
final class ZstandardDecoder: StreamDecoder {
  private typealias Input = ZstandardLibrary.Input
  private typealias Output = ZstandardLibrary.Output
  private typealias Create = @convention(c) () -> OpaquePointer?
  private typealias Free = @convention(c) (OpaquePointer?) -> Int
  private typealias Decompress =
    @convention(c) (
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
    guard let library = ZstandardLibrary(),
      let create = library.function("ZSTD_createDStream", as: Create.self),
      let free = library.function("ZSTD_freeDStream", as: Free.self),
      let decompress = library.function("ZSTD_decompressStream", as: Decompress.self),
      let isError = library.function("ZSTD_isError", as: IsError.self),
      let errorName = library.function("ZSTD_getErrorName", as: ErrorName.self),
      let stream = create()
    else {
      throw AggregateError(
        .configuration, "\(name) is compressed with zstd, and libzstd is not installed",
        hint: "install libzstd, or decompress it into a pipe: zstd -dc FILE | aggregate …")
    }
    self.stream = stream
    self.free = free
    self.decompress = decompress
    self.isError = isError
    self.errorName = errorName
  }

  deinit { _ = free(stream) }

  func step(
    _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
  ) throws(StreamDecoderError) -> (taken: Int, given: Int, mayEnd: Bool) {
    var source = Input(bytes: input.baseAddress, count: input.count, position: 0)
    var target = Output(bytes: output.baseAddress, count: output.count, position: 0)
    let result = decompress(stream, &target, &source)
    if isError(result) != 0 {
      throw StreamDecoderError(message: String(cString: errorName(result)))
    }
    if source.position > 0 || target.position > 0 { mayEnd = result == 0 }
    return (source.position, target.position, mayEnd)
  }
}
