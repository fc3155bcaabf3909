internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The system's libzstd, which is loaded when it is first needed and stays loaded.
struct ZstandardLibrary {
  /// Bytes that are taken; laid out as `ZSTD_inBuffer`.
  struct Input {
    var bytes: UnsafeRawPointer?
    var count: Int
    var position: Int
  }

  /// Room that is filled; laid out as `ZSTD_outBuffer`.
  struct Output {
    var bytes: UnsafeMutableRawPointer?
    var count: Int
    var position: Int
  }

  private static let names = [
    "libzstd.so.1", "libzstd.1.dylib", "/opt/homebrew/lib/libzstd.1.dylib",
    "/usr/local/lib/libzstd.1.dylib",
  ]

  private let handle: UnsafeMutableRawPointer

  /// Loads the library; nil when it is not installed.
  init?() {
    guard let handle = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      return nil
    }
    self.handle = handle
  }

  /// The function of this name, of which the caller states the C type; nil when there is none.
  func function<F>(_ name: String, as type: F.Type) -> F? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}
