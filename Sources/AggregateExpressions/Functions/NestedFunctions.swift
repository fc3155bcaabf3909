import AggregateCore
import AggregateJSON

/// Functions of JSON and lists.
enum NestedFunctions {
  private static let group = "json"

  static let all: [FunctionSpec] = [
    FunctionSpec(
      "json_extract", ["json_extract_path"], [.json(), .any("path")], type: { _ in .json },
      "The value at a path inside JSON.", "json_extract('{\"a\":[1,2]}', '$.a')", "[1,2]",
      group: group,
      make: { (call) throws(ArgumentMistake) in try extraction(call, asText: false) }),
    FunctionSpec(
      "json_extract_string", ["json_extract_path_text"], [.json(), .any("path")],
      type: { _ in .text }, "The value at a path inside JSON, as text.",
      "json_extract_string('{\"a\":\"x\"}', '$.a')", "x", group: group,
      make: { (call) throws(ArgumentMistake) in try extraction(call, asText: true) }),
    FunctionSpec(
      "json_array_length", [], [.json(), .any("path", .optional)], type: { _ in .int },
      "The number of elements of a JSON array; 0 for anything else.",
      "json_array_length('[1,2,3]')", "3", group: group,
      make: { (call) throws(ArgumentMistake) in
        let path = call.types.count > 1 ? try Path(call, 1) : nil
        let isJSON = call.types[0] == .json
        return { arguments, frame in
          let values = extracted(arguments, path, isJSON, frame)
          return values.withCells { bytes, cells in
            Rows.ints(frame.count) { row in
              let cell = cells[row]
              if cell.kind.isNull { return nil }
              if cell.kind != .array { return 0 }
              return length(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
            }
          }
        }
      }),
    FunctionSpec(
      "json_type", ["json_typeof"], [.json()], type: { _ in .text },
      "OBJECT, ARRAY, VARCHAR, BIGINT, DOUBLE, BOOLEAN or NULL.", "json_type('[1]')", "ARRAY",
      group: group,
      make: { call in
        let isJSON = call.types[0] == .json
        return { arguments, frame in
          let values = extracted(arguments, nil, isJSON, frame)
          return Rows.texts(frame.count) { row, out in
            switch values.cells[row].kind {
            case .absent: return false
            case .null: return false
            case .text, .escapedText: out.append(literal: "VARCHAR")
            case .integer: out.append(literal: "BIGINT")
            case .real: out.append(literal: "DOUBLE")
            case .true, .false: out.append(literal: "BOOLEAN")
            case .object: out.append(literal: "OBJECT")
            case .array: out.append(literal: "ARRAY")
            }
            return true
          }
        }
      }),
    FunctionSpec(
      "json_keys", [], [.json()], type: { _ in .json }, "The keys of a JSON object, as a list.",
      "json_keys('{\"a\":1,\"b\":2}')", "[\"a\",\"b\"]", group: group,
      make: { call in
        let isJSON = call.types[0] == .json
        return { arguments, frame in
          let values = extracted(arguments, nil, isJSON, frame)
          return values.withCells { bytes, cells in
            Rows.cells(frame.count) { row, out in
              let cell = cells[row]
              if cell.kind.isNull { return .null }
              out.append(UInt8(ascii: "["))
              if cell.kind == .object,
                let document = document(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
              {
                for (index, member) in document.root.members.enumerated() {
                  if index > 0 { out.append(UInt8(ascii: ",")) }
                  out.append(document.buffer, member.key.outerRange)
                }
              }
              out.append(UInt8(ascii: "]"))
              return .array
            }
          }
        }
      }),
    FunctionSpec(
      "json_valid", [], [.text("text")], .bool, "Whether a text is valid JSON.",
      "json_valid('{\"a\":1}')", "true", group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      return Rows.bools(frame.count) { row in text[row].map { document($0) != nil } }
    },
    FunctionSpec(
      "list_extract", ["list_element", "array_extract"], [.any("list"), .int("index")], .any,
      "The element of a list at a position, counted from 1 or, negative, from the end.",
      "list_extract(split('a-b', '-'), 2)", "b", group: group, element),
  ]

  // MARK: Paths

  /// Which value inside JSON is wanted.
  enum Path: Sendable {
    case elements([String])
    case position(Int)
    case query(JSONPath)
    /// Not constant: an argument.
    case computed

    init(_ call: FunctionSpec.Call, _ index: Int) throws(ArgumentMistake) {
      guard let scalar = call.constants[index] else {
        self = .computed
        return
      }
      switch scalar {
      case .int(let position): self = .position(Int(clamping: position))
      default:
        do throws(JSONPathError) {
          self = try Path(text: scalar.text ?? "")
        } catch {
          throw ArgumentMistake(index, "\(error)")
        }
      }
    }

    init(text: String) throws(JSONPathError) {
      if text.hasPrefix("$") {
        let path = try JSONPath(parsing: text)
        self = path.singularElements.map { .elements($0) } ?? .query(path)
      } else if text.hasPrefix("/") {
        let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        self = .elements(parts.map(String.init))
      } else {
        self = .elements([text])
      }
    }
  }

  static func arrow(
    _ a: Bound, _ b: Bound, asText: Bool, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    guard ParameterType.json.accepts(a.type) else {
      throw SyntaxMistake("\(a.type.shown) is no JSON", at: a.offset, code: "type")
    }
    let call = FunctionSpec.Call(types: [a.type, b.type], constants: [a.scalar, b.scalar])
    do throws(ArgumentMistake) {
      let bound = Bound(
        plan: .apply(try extraction(call, asText: asText), [a.plan, b.plan]),
        type: asText ? .text : .json, offset: offset)
      return a.scalar != nil && b.scalar != nil ? Folding.folded(bound) : bound
    } catch {
      throw SyntaxMistake(error.message, at: b.offset, hint: error.hint, code: "arguments")
    }
  }

  private static func extraction(
    _ call: FunctionSpec.Call, asText: Bool
  ) throws(ArgumentMistake) -> Kernel {
    let path = try Path(call, 1)
    let isJSON = call.types[0] == .json
    return { arguments, frame in
      let values = extracted(arguments, path, isJSON, frame)
      return .spans(asText ? Texts.cells(values) : values)
    }
  }

  /// The values that `path` leads to in the first argument.
  private static func extracted(
    _ arguments: [Operand], _ path: Path?, _ isJSON: Bool, _ frame: Frame
  ) -> SpanColumn {
    let values = cells(arguments[0], isJSON: isJSON, frame)
    switch path {
    case nil: return values
    case .elements(let elements): return NestedValues.extract(values, path: elements)
    case .position(let position) where position >= 0:
      return NestedValues.extract(values, path: [String(position)])
    case .position(let position):
      return rows(values, frame) { root, _ in
        root.kind == .array ? root[root.count + position] : nil
      }
    case .query(let query): return matches(values, query, frame)
    case .computed:
      let keys = CellReader(arguments[1])
      return rows(values, frame) { root, row in
        switch keys[row] {
        case .int(let position):
          guard root.kind == .array else { return nil }
          return root[position < 0 ? root.count + Int(clamping: position) : Int(clamping: position)]
        case .text(let bytes):
          let text = String(decoding: bytes, as: UTF8.self)
          guard let path = try? Path(text: text) else {
            frame.lost("not a path") { text }
            return nil
          }
          guard case .elements(let elements) = path else {
            if case .query(let query) = path { return query.firstNode(in: root) }
            return nil
          }
          var node: JSONNode? = root
          for element in elements {
            node = node.flatMap { node in
              node.kind == .array ? Int(element).flatMap { node[$0] } : node[element]
            }
          }
          return node
        default: return nil
        }
      }
    }
  }

  /// The first argument as JSON values: text that is not known to be JSON is parsed.
  private static func cells(_ operand: Operand, isJSON: Bool, _ frame: Frame) -> SpanColumn {
    guard case .spans(let spans) = operand.column(count: frame.count) else {
      return frame.textSpans(operand)
    }
    if isJSON || !spans.cells.contains(where: \.kind.isText) { return spans }
    let text = frame.texts(.spans(spans))
    var out = ByteBuilder(capacity: 1024)
    var cells: [Cell] = []
    for row in 0..<frame.count {
      guard let bytes = text[row] else {
        cells.append(.null)
        continue
      }
      guard let document = document(bytes) else {
        frame.lost("malformed JSON") { String(decoding: bytes, as: UTF8.self) }
        cells.append(.null)
        continue
      }
      cells.append(append(document.root, &out))
    }
    return SpanColumn(buffer: out.finish(), cells: cells)
  }

  private static func append(_ node: JSONNode, _ out: inout ByteBuilder) -> Cell {
    let start = out.count
    out.append(node.document.buffer, node.range)
    return Cell(node.kind, offset: start, length: out.count - start)
  }

  private static func rows(
    _ values: SpanColumn, _ frame: Frame, _ body: (JSONNode, Int) -> JSONNode?
  ) -> SpanColumn {
    var out = ByteBuilder(capacity: 1024)
    let cells = values.withCells { bytes, cells in
      (0..<frame.count).map { row -> Cell in
        let cell = cells[row]
        guard cell.kind.isNested,
          let document = document(UnsafeRawBufferPointer(rebasing: bytes[cell.range])),
          let node = body(document.root, row)
        else { return .null }
        return append(node, &out)
      }
    }
    return SpanColumn(buffer: out.finish(), cells: cells)
  }

  private static func matches(
    _ values: SpanColumn, _ query: JSONPath, _ frame: Frame
  ) -> SpanColumn {
    var out = ByteBuilder(capacity: 1024)
    let cells = values.withCells { bytes, cells in
      (0..<frame.count).map { row -> Cell in
        let cell = cells[row]
        guard cell.kind.isNested,
          let document = document(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
        else { return .null }
        let start = out.count
        out.append(UInt8(ascii: "["))
        for (index, node) in query.nodes(in: document.root).enumerated() {
          if index > 0 { out.append(UInt8(ascii: ",")) }
          out.append(document.buffer, node.outerRange)
        }
        out.append(UInt8(ascii: "]"))
        return Cell(.array, offset: start, length: out.count - start)
      }
    }
    return SpanColumn(buffer: out.finish(), cells: cells)
  }

  static func document(_ bytes: UnsafeRawBufferPointer) -> JSONDocument? {
    try? JSONDocument(parsing: ByteBuffer(Array(bytes)))
  }

  // MARK: Lists

  /// The number of elements or members of a nested value.
  static func length(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    document(bytes).map { Int64($0.root.count) }
  }

  static func contains(_ list: UnsafeRawBufferPointer, _ item: CellValue) -> Bool? {
    guard let document = document(list), document.root.kind == .array else { return nil }
    for node in document.root.elements {
      let column = SpanColumn(buffer: document.buffer, cells: [node.cell])
      // The reader owns what it had to unescape.
      let reader = CellReader(.spans(column))
      let isEqual = withExtendedLifetime(reader) {
        if case .success(let order) = CellValue.order(reader[0], item) {
          order.rawValue == 1
        } else {
          false
        }
      }
      if isEqual { return true }
    }
    return false
  }

  static let element: Kernel = { arguments, frame in
    let values = cells(arguments[0], isJSON: true, frame)
    let positions = CellReader(arguments[1])
    return .spans(
      rows(values, frame) { root, row in
        switch positions[row] {
        case .int(let position):
          guard root.kind == .array, position != 0 else { return nil }
          let index = position > 0 ? position - 1 : Int64(root.count) + position
          return index >= 0 ? root[Int(clamping: index)] : nil
        case .text(let key): return root[String(decoding: key, as: UTF8.self)]
        default: return nil
        }
      })
  }

  static let member: Kernel = { arguments, frame in
    guard case .constant(.text(let name)) = arguments[1] else { return .null }
    return .spans(NestedValues.extract(cells(arguments[0], isJSON: true, frame), path: [name]))
  }

  static func asJSON(_ type: ExpressionType) -> Kernel {
    { arguments, frame in
      guard type == .text || type == .any else { return arguments[0] }
      return .spans(cells(arguments[0], isJSON: false, frame))
    }
  }
}
