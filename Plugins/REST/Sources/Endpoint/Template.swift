internal import AggregateCore

/// Text with `{name}` placeholders; `{{` and `}}` are literal braces.
///
/// A brace that does not enclose a name is text, so that JSON and other languages can stand in bodies.
/// What `${…}` brought in is never looked into.
struct Template: Sendable {
  enum Piece: Sendable, Hashable {
    case text(String)
    case name(String)
  }

  let pieces: [Piece]
  /// Whether `${…}` brought in a part of it.
  let hasSecret: Bool
  /// What stands behind a brace that begins a name and is never closed; nil without one.
  let unclosed: String?

  init(_ scalar: Node.Scalar) {
    var pieces: [Piece] = []
    var text = ""
    var hasSecret = false
    var unclosed: String?
    for part in scalar.parts {
      switch part {
      case .substituted(let value):
        text += value
        hasSecret = true
      case .written(let written):
        Self.read(written, into: &pieces, &text)
        unclosed = unclosed ?? Self.unclosed(written)
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    self.pieces = pieces
    self.hasSecret = hasSecret
    self.unclosed = unclosed
  }

  private static func unclosed(_ written: String) -> String? {
    guard let brace = written.lastIndex(of: "{"),
      brace == written.startIndex
        || written[written.index(before: brace)] != "{"
    else { return nil }
    let rest = written[written.index(after: brace)...]
    guard let first = rest.first, first.isLetter || first == "_", !rest.contains("}") else {
      return nil
    }
    return String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
  }

  /// Reads a scalar node; other nodes are empty text.
  init(_ node: Node) {
    self.init(node.scalar ?? Node.Scalar(parts: [], isPlain: true))
  }

  private static func read(_ written: String, into pieces: inout [Piece], _ text: inout String) {
    let scalars = Array(written.unicodeScalars)
    var i = 0
    while i < scalars.count {
      let scalar = scalars[i]
      let isDoubled = i + 1 < scalars.count && scalars[i + 1] == scalar
      if (scalar == "{" || scalar == "}") && isDoubled {
        text.unicodeScalars.append(scalar)
        i += 2
        continue
      }
      if scalar == "{", let end = nameEnd(scalars, i + 1) {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(.name(String(String.UnicodeScalarView(scalars[(i + 1)..<end]))))
        i = end + 1
        continue
      }
      text.unicodeScalars.append(scalar)
      i += 1
    }
  }

  /// The place of the `}` behind a name that begins at `start`.
  private static func nameEnd(_ scalars: [Unicode.Scalar], _ start: Int) -> Int? {
    var i = start
    while i < scalars.count, scalars[i] != "}" {
      let scalar = scalars[i]
      let isLetter = scalar == "_" || scalar.properties.isAlphabetic
      guard isLetter || (i > start && (scalar == "-" || ("0"..."9").contains(scalar))) else {
        return nil
      }
      i += 1
    }
    return i > start && i < scalars.count ? i : nil
  }

  /// The names of its placeholders.
  var names: [String] {
    pieces.compactMap { if case .name(let name) = $0 { name } else { nil } }
  }

  /// The text with the placeholders replaced.
  func expanded(_ values: [String: String]) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .name(let name): values[name] ?? ""
      }
    }.joined()
  }

  /// An address: values are percent-encoded, in the path except `/`; a template that is one
  /// placeholder and nothing else may be a whole address.
  func expandedURL(_ values: [String: String]) -> String {
    if pieces.count == 1, case .name(let name) = pieces[0], let value = values[name],
      WebURL(value) != nil
    {
      return value
    }
    var result = ""
    for piece in pieces {
      switch piece {
      case .text(let text): result += text
      case .name(let name):
        result += WebURL.encoded(
          values[name] ?? "", keeping: result.contains("?") ? "" : "/")
      }
    }
    return result
  }

  /// Adds a diagnostic for each placeholder that is not in `known`.
  func check(
    _ known: [String], at location: SourceLocation, into diagnostics: inout Diagnostics
  ) {
    if let unclosed {
      diagnostics.error(
        "unclosed-placeholder", "the brace of “{\(unclosed)” is not closed", at: location,
        hint: "write {\(unclosed)} for a placeholder, or {{ for a brace")
    }
    for name in names where !known.contains(name) {
      diagnostics.error(
        "unknown-placeholder", "nothing gives the placeholder “{\(name)}” a value", at: location,
        hint: known.isEmpty
          ? "declare it under for_each or params, or write {{\(name)}} for braces"
          : Suggestions.hint(for: name, in: known))
    }
  }
}
