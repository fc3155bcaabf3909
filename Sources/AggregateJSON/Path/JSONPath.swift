public import AggregateCore

/// A query by RFC 9535, such as `$.items[?@.price < 10].name`.
public struct JSONPath: Sendable, CustomStringConvertible {
  /// The text it was read from.
  public let text: String
  private let query: PathQuery

  /// Reads `text`.
  ///
  /// - Throws: ``JSONPathError`` with what is wrong, where, and what would be valid.
  public init(parsing text: String) throws(JSONPathError) {
    var parser = JSONPathParser(text)
    query = try parser.wholeQuery()
    self.text = text
  }

  private init(text: String, query: PathQuery) {
    self.text = text
    self.query = query
  }

  /// The text it was read from.
  public var description: String { text }

  var segments: [PathSegment] { query.segments }

  /// The nodes it gives, in the order of RFC 9535; `$` is `root`, also in filters.
  public func nodes(in root: JSONNode) -> [JSONNode] {
    JSONPathEvaluator(root: root).places(query, current: root.index).map {
      JSONNode(document: root.document, index: $0)
    }
  }

  /// The first of ``nodes(in:)``, found without collecting when the path is singular.
  public func firstNode(in root: JSONNode) -> JSONNode? {
    guard isSingular else { return nodes(in: root).first }
    var node = root
    for segment in query.segments {
      switch segment.selectors[0] {
      case .name(let name):
        guard let child = node[name] else { return nil }
        node = child
      case .index(let index):
        guard let child = node[index < 0 ? index + node.count : index] else { return nil }
        node = child
      case .wildcard, .slice, .filter: return nil
      }
    }
    return node
  }

  /// Whether it gives at most one node by its form: names and indexes only.
  public var isSingular: Bool { query.isSingular }

  /// The names, and the indexes as digits, of a singular path; nil with a negative index or otherwise.
  ///
  /// A name of digits (`$['0']`) cannot be told from an index: the value decides which it was.
  public var singularElements: [String]? {
    guard isSingular else { return nil }
    var elements: [String] = []
    for segment in query.segments {
      switch segment.selectors[0] {
      case .name(let name): elements.append(name)
      case .index(let index) where index >= 0: elements.append(String(index))
      default: return nil
      }
    }
    return elements
  }

  /// What keeps `text` from being a JSONPath; nil when it is one.
  public static func mistake(in text: String) -> Shape.Mistake? {
    do throws(JSONPathError) {
      _ = try JSONPath(parsing: text)
      return nil
    } catch {
      return Shape.Mistake(error.message, offset: error.offset, hint: error.hint)
    }
  }

  /// `name` as a string literal in single quotes.
  static func quoted(_ name: String) -> String {
    var result = "'"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'": result += "\\'"
      case "\\": result += "\\\\"
      default:
        if scalar.value < 0x20 {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "'"
  }
}

extension Shape {
  /// A JSONPath.
  public static let jsonPath = Shape.parsed(
    kind: "a JSONPath (RFC 9535), such as $.items[*]", check: { JSONPath.mistake(in: $0) })
}
