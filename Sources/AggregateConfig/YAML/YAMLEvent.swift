/// What libyaml reports of a document, piece by piece, in Swift values.
struct YAMLEvent {
  /// A place in the text, both counted from 0; columns in code points.
  struct Mark: Hashable {
    var line: Int
    var column: Int
  }

  /// What begins, ends or stands here.
  enum Kind {
    case streamStart
    case streamEnd
    case documentStart
    case documentEnd
    case alias(name: String)
    case scalar(text: String, isPlain: Bool, anchor: String?, tag: String?)
    case sequenceStart(anchor: String?, tag: String?)
    case sequenceEnd
    case mappingStart(anchor: String?, tag: String?)
    case mappingEnd
  }

  var kind: Kind
  var start: Mark
}

/// Why libyaml could not go on.
struct YAMLSyntaxError: Error {
  /// What libyaml says is wrong.
  var problem: String
  /// Where; nil when the bytes are not text.
  var mark: YAMLEvent.Mark?
  /// What libyaml was doing, such as `while parsing a flow mapping`.
  var context: String?
  /// Where that began.
  var contextMark: YAMLEvent.Mark?
}
