package import AggregateCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What decides whether an output becomes final.
protocol OutputCommit: Sendable {
  /// Makes what was written final.
  func commit() throws

  /// Leaves things as they were before, as far as that is possible.
  func discard()
}

/// Where the bytes of the output go.
protocol ByteSink: OutputCommit {
  /// Writes bytes, all of them.
  ///
  /// - Returns: `.enough` when the reader has gone.
  /// - Throws: ``AggregateError`` with code `output`.
  func write(_ bytes: UnsafeRawBufferPointer) throws -> Demand
}

/// Standard output.
package struct StandardOutput: ByteSink {
  /// - Throws: ``AggregateError`` when standard output is not open.
  package init() throws {
    guard SystemFacts.isWritable(1) else {
      throw AggregateError(.output, "standard output is not open", hint: "use -o FILE")
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws -> Demand {
    try DescriptorOutput.write(bytes, to: 1, name: "standard output")
  }

  func commit() {}
  func discard() {}
}

extension AtomicFile: ByteSink {}
