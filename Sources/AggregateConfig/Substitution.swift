internal import AggregateCore

/// Replaces `${…}` inside the scalars of a tree that was parsed already.
///
/// `${VAR}`, `${VAR:-default}` (also when empty), `${VAR:?message}`, `${file:path}`; `$$` is `$` and
/// a `$` before anything else stays. What comes in is never expanded again and counts as a secret.
struct Substitution {
  /// The largest file that `${file:…}` takes in, in bytes.
  static let maximumFileSize = 1_000_000

  let environment: [String: String]
  /// What the path of `${file:…}` is relative to.
  let directory: String
  let redactor: Redactor

  /// A tree with its values filled in, and the lines of values that could not be.
  struct Result {
    var node: Node
    var diagnostics = Diagnostics()
    var failedLines: Set<SourceLocation> = []
  }

  /// Fills in all scalar values of `node`; keys stay as they are.
  func apply(to node: Node) -> Result {
    var result = Result(node: node)
    result.node = replaced(node, &result)
    return result
  }

  private func replaced(_ node: Node, _ result: inout Result) -> Node {
    switch node.content {
    case .sequence(let nodes):
      return Node(.sequence(nodes.map { replaced($0, &result) }), at: node.location)
    case .mapping(let entries):
      let filled = entries.map {
        Node.Entry(key: $0.key, location: $0.location, value: replaced($0.value, &result))
      }
      return Node(.mapping(filled), at: node.location)
    case .scalar(let scalar):
      guard scalar.text.utf8.contains(UInt8(ascii: "$")) else { return node }
      var parts: [Node.Scalar.Part] = []
      for part in scalar.parts {
        guard case .written(let text) = part else {
          parts.append(part)
          continue
        }
        parts += filled(text, scalar, at: node.location, &result)
      }
      return Node(.scalar(Node.Scalar(parts: parts, isPlain: scalar.isPlain)), at: node.location)
    }
  }

  private func filled(
    _ text: String, _ scalar: Node.Scalar, at location: SourceLocation, _ result: inout Result
  ) -> [Node.Scalar.Part] {
    let scalars = Array(text.unicodeScalars)
    var parts: [Node.Scalar.Part] = []
    var written = String.UnicodeScalarView()
    var i = 0
    while i < scalars.count {
      guard scalars[i] == "$", i + 1 < scalars.count else {
        written.append(scalars[i])
        i += 1
        continue
      }
      if scalars[i + 1] == "$" {
        written.append("$")
        i += 2
      } else if scalars[i + 1] == "{" {
        if !written.isEmpty { parts.append(.written(String(written))) }
        written = String.UnicodeScalarView()
        // Only on the first line of the value is the offset in the text one in the file's line.
        let isFirstLine = !scalars[..<i].contains("\n") && location.text?.contains(text) == true
        let place = isFirstLine ? location.advanced(by: i + (scalar.isPlain ? 0 : 1)) : location
        let end = Self.end(of: i + 2, in: scalars)
        do {
          guard let end else { throw Mistake("a “${” is not closed", "“$${” is a literal “${”") }
          let inside = String(String.UnicodeScalarView(scalars[(i + 2)..<end]))
          parts.append(.substituted(try value(of: inside)))
        } catch let mistake as Mistake {
          result.diagnostics.error("substitution", mistake.message, at: place, hint: mistake.hint)
          result.failedLines.insert(Self.line(of: location))
          parts.append(.substituted(""))
        } catch {
          parts.append(.substituted(""))
        }
        i = (end ?? scalars.count - 1) + 1
      } else {
        written.append("$")
        i += 1
      }
    }
    if !written.isEmpty || parts.isEmpty { parts.append(.written(String(written))) }
    return parts
  }

  /// The place of a line, for finding what else was said of it.
  static func line(of location: SourceLocation) -> SourceLocation {
    SourceLocation(file: location.file, line: location.line, column: 0)
  }

  private static func end(of start: Int, in scalars: [Unicode.Scalar]) -> Int? {
    var depth = 0
    for i in start..<scalars.count {
      if scalars[i] == "{" { depth += 1 }
      if scalars[i] == "}" {
        if depth == 0 { return i }
        depth -= 1
      }
    }
    return nil
  }

  private struct Mistake: Error {
    var message: String
    var hint: String?

    init(_ message: String, _ hint: String? = nil) {
      self.message = message
      self.hint = hint
    }
  }

  private func value(of inside: String) throws -> String {
    if inside.hasPrefix("file:") { return try contents(of: String(inside.dropFirst(5))) }
    let name = String(inside.prefix { $0 == "_" || ($0.isASCII && ($0.isLetter || $0.isNumber)) })
    let rest = inside.dropFirst(name.count)
    guard !name.isEmpty, !(name.first?.isNumber ?? true),
      rest.isEmpty || rest.hasPrefix(":-") || rest.hasPrefix(":?")
    else {
      throw Mistake(
        "“${\(inside)}” is not a substitution",
        "valid: ${VAR}, ${VAR:-default}, ${VAR:?message}, ${file:path}; “$${” is a literal “${”")
    }
    let given = environment[name]
    if rest.isEmpty {
      guard let given else {
        throw Mistake(
          "the environment variable “\(name)” is not set",
          "set it, or write ${\(name):-default}")
      }
      redactor.register(given)
      return given
    }
    if let given, !given.isEmpty {
      redactor.register(given)
      return given
    }
    let argument = String(rest.dropFirst(2))
    if rest.hasPrefix(":-") { return argument }
    throw Mistake(
      "the environment variable “\(name)” is not set"
        + (argument.isEmpty ? "" : ": \(argument)"))
  }

  private func contents(of path: String) throws -> String {
    let full = path.hasPrefix("/") ? path : "\(directory)/\(path)"
    let bytes: [UInt8]
    do {
      bytes = try RegularFile.read(full, limit: Self.maximumFileSize)
    } catch {
      throw Mistake("“${file:\(path)}” can't be read: \(error.message)")
    }
    var end = bytes.count
    if end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    let text = String(decoding: bytes[..<end], as: UTF8.self)
    redactor.register(text)
    return text
  }
}
