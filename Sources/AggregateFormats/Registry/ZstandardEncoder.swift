public import AggregateCore

/// Compresses a stream with Zstandard, block by block, with the system's library.
///
/// One frame with a checksum; the same library gives the same output for the same bytes.
public final class ZstandardEncoder: StreamEncoder {
  private typealias Input = ZstandardLibrary.Input
  private typealias Output = ZstandardLibrary.Output
  private typealias Create = @convention(c) () -> OpaquePointer?
  private typealias Free = @convention(c) (OpaquePointer?) -> Int
  private typealias SetParameter = @convention(c) (OpaquePointer?, Int32, Int32) -> Int
  private typealias Compress =
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int32
    ) -> Int
  private typealias IsError = @convention(c) (Int) -> UInt32

  /// `ZSTD_c_checksumFlag`, and the end directives `ZSTD_e_continue` and `ZSTD_e_end`.
  private static let checksumFlag: Int32 = 201
  private static let goOn: Int32 = 0
  private static let end: Int32 = 2

  private let stream: OpaquePointer
  private let free: Free
  private let compress: Compress
  private let isError: IsError

  /// Loads the library; the strength is the library's usual one.
  ///
  /// - Parameter path: The file that is to be written, for the message.
  /// - Throws: ``AggregateError`` with code `configuration` when libzstd 1.4 or later is not installed.
  public init(path: String) throws {
    guard let library = ZstandardLibrary(),
      let create = library.function("ZSTD_createCCtx", as: Create.self),
      let free = library.function("ZSTD_freeCCtx", as: Free.self),
      let set = library.function("ZSTD_CCtx_setParameter", as: SetParameter.self),
      let compress = library.function("ZSTD_compressStream2", as: Compress.self),
      let isError = library.function("ZSTD_isError", as: IsError.self),
      let stream = create()
    else {
      throw AggregateError(
        .configuration, "“\(path)” is to be compressed with zstd, and libzstd is not installed",
        hint:
          "install libzstd, end the name in .gz, or write to a pipe: aggregate … | zstd > \(path)"
      )
    }
    self.stream = stream
    self.free = free
    self.compress = compress
    self.isError = isError
    _ = set(stream, Self.checksumFlag, 1)
  }

  deinit { _ = free(stream) }

  /// Appends what is ready of the compressed form of all `bytes` so far.
  public func encode(_ bytes: UnsafeRawBufferPointer, into out: inout ByteBuilder) throws {
    var input = Input(bytes: bytes.baseAddress, count: bytes.count, position: 0)
    while input.position < input.count { _ = try step(&input, Self.goOn, into: &out) }
  }

  /// Appends the rest and the checksum; the encoder is used up.
  public func finish(into out: inout ByteBuilder) throws {
    var input = Input(bytes: nil, count: 0, position: 0)
    while try step(&input, Self.end, into: &out) > 0 {}
  }

  /// Compresses a piece; returns how many bytes are known to be still inside.
  private func step(
    _ input: inout Input, _ directive: Int32, into out: inout ByteBuilder
  ) throws -> Int {
    var left = 0
    out.append(maximum: 64 * 1024) { target in
      var output = Output(bytes: target.baseAddress, count: target.count, position: 0)
      left = compress(stream, &output, &input, directive)
      return output.position
    }
    guard isError(left) == 0 else {
      throw AggregateError(.internal, "libzstd cannot compress")
    }
    return left
  }
}
