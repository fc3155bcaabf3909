internal import CYAML

/// Reads the events of a YAML text; the only place that touches libyaml.
///
/// The parser and the bytes it reads live at fixed addresses as long as this object does.
final class YAMLEventReader {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private var isUsable: Bool

  init(_ bytes: [UInt8]) {
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    input = .allocate(capacity: max(1, bytes.count))
    _ = input.initialize(fromContentsOf: bytes)
    isUsable = yaml_parser_initialize(parser) == 1
    if isUsable { yaml_parser_set_input_string(parser, input.baseAddress, bytes.count) }
  }

  deinit {
    if isUsable { yaml_parser_delete(parser) }
    parser.deallocate()
    input.deallocate()
  }

  /// The next event; must not be called again after the end of the stream or an error.
  func next() throws(YAMLSyntaxError) -> YAMLEvent {
    guard isUsable else { throw YAMLSyntaxError(problem: "out of memory") }
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(kind: Self.kind(of: event), start: Self.mark(event.start_mark))
  }

  private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
    switch event.type {
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return .alias(name: text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let value = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return .scalar(
        text: String(decoding: value, as: UTF8.self),
        isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE,
        anchor: text(scalar.anchor), tag: text(scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      let data = event.data.sequence_start
      return .sequenceStart(anchor: text(data.anchor), tag: text(data.tag))
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let data = event.data.mapping_start
      return .mappingStart(anchor: text(data.anchor), tag: text(data.tag))
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    default: return .streamEnd
    }
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  private static func mark(_ mark: yaml_mark_t) -> YAMLEvent.Mark {
    YAMLEvent.Mark(line: Int(mark.line), column: Int(mark.column))
  }

  private func failure() -> YAMLSyntaxError {
    let state = parser.pointee
    let problem = state.problem.map { String(cString: $0) } ?? "not valid YAML"
    if state.error == YAML_READER_ERROR {
      return YAMLSyntaxError(problem: "\(problem) (byte \(state.problem_offset))")
    }
    return YAMLSyntaxError(
      problem: problem, mark: Self.mark(state.problem_mark),
      context: state.context.map { String(cString: $0) },
      contextMark: state.context == nil ? nil : Self.mark(state.context_mark))
  }
}
