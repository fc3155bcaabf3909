internal import AggregateCore
internal import AggregateJSON

/// Finds what in JSON is a record, and opens it accordingly.
enum JSONOpening {
  static func open(_ input: FormatInput) async throws -> OpenedInput {
    let options = input.options
    if input.format == "json", options.records?.text == "$[*]", isArray(input.first) {
      return try await JSONInput(input).open(input.source, mode: .array)
    }
    if let path = options.records, path.text != "$" {
      let mode: JSONChunker.Mode = input.format == "json" ? .single : .documents
      return try await JSONPathInput(input, path: path).open(input.source, mode: mode)
    }
    let mode: JSONChunker.Mode =
      input.format == "ndjson" ? .documents : options.records == nil ? .arrayOrSingle : .single
    return try await JSONInput(input).open(input.source, mode: mode)
  }

  /// Whether the outermost value is an array, whose elements can be streamed.
  private static func isArray(_ block: ByteBlock) -> Bool {
    block.buffer.withUnsafeBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return bytes[start...].first { ![32, 9, 10, 13].contains($0) } == UInt8(ascii: "[")
    }
  }
}
