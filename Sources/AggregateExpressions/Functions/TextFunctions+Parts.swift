import AggregateCore

/// Parts of a text, and what is in it.
extension TextFunctions {
  static let parts: [FunctionSpec] = [
    FunctionSpec(
      "substr", ["substring"], [.text(), .int("start"), .int("length", .optional)], .text,
      "The part from a position, counted from 1 or, negative, from the end.",
      "substr('hello', 2, 3)", "ell", group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let starts = frame.ints(arguments[1])
      let lengths = arguments.count > 2 ? frame.ints(arguments[2]) : nil
      return Rows.texts(frame.count) { row, out in
        guard let value = text[row], var start = starts[row] else { return false }
        let count = Int64(CodePoints.count(value))
        start = max(-(1 << 40), min(1 << 40, start))
        if start < 0 { start = count + start + 1 }
        var end = count + 1
        if let lengths {
          guard let length = lengths[row] else { return false }
          let bounded = max(-(1 << 40), min(1 << 40, length))
          // A negative length takes what lies before the position.
          if bounded < 0 {
            end = start
            start += bounded
          } else {
            end = start + bounded
          }
        }
        let low = max(1, start)
        let high = min(end, count + 1)
        if low < high { out.append(CodePoints.slice(value, Int(low - 1), Int(high - low))) }
        return true
      }
    },
    side(
      "left", "The first so many characters; negative drops as many at the end.",
      "left('hello', 2)", "he", isLeft: true),
    side(
      "right", "The last so many characters; negative drops as many at the beginning.",
      "right('hello', 2)", "lo", isLeft: false),
    FunctionSpec(
      "split_part", ["string_split_part"], [.text(), .text("separator"), .int("index")], .text,
      "One of the parts between separators, counted from 1 or, negative, from the end.",
      "split_part('a-b-c', '-', 2)", "b", group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let separators = frame.texts(arguments[1])
      let indexes = frame.ints(arguments[2])
      return Rows.texts(frame.count) { row, out in
        guard let value = text[row], let separator = separators[row], let index = indexes[row]
        else { return false }
        let parts = CodePoints.split(value, separator)
        let place = index > 0 ? index - 1 : index < 0 ? Int64(parts.count) + index : 0
        if place >= 0, place < Int64(parts.count) {
          out.append(UnsafeRawBufferPointer(rebasing: value[parts[Int(place)]]))
        }
        return true
      }
    },
    FunctionSpec(
      "split", ["string_split", "str_split", "string_to_array"], [.text(), .text("separator")],
      .json, "The parts between separators, as a list.", "split('a-b', '-')", "[\"a\",\"b\"]",
      group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let separators = frame.texts(arguments[1])
      return Rows.cells(frame.count) { row, out in
        guard let value = text[row], let separator = separators[row] else { return .null }
        out.append(UInt8(ascii: "["))
        for (index, part) in CodePoints.split(value, separator).enumerated() {
          out.append(literal: index == 0 ? "\"" : ",\"")
          EscapedText.encode(UnsafeRawBufferPointer(rebasing: value[part]), into: &out)
          out.append(UInt8(ascii: "\""))
        }
        out.append(UInt8(ascii: "]"))
        return .array
      }
    },
    FunctionSpec(
      "concat", [], [.any("value", .repeated)], .text, "All values as one text; nulls are nothing.",
      "concat('a', 1, true)", "a1true", group: group
    ) { arguments, frame in
      let texts = arguments.map { frame.texts($0) }
      return Rows.texts(frame.count) { row, out in
        for text in texts { if let value = text[row] { out.append(value) } }
        return true
      }
    },
    FunctionSpec(
      "concat_ws", [], [.text("separator"), .any("value", .repeated)], .text,
      "All values that are not null as one text, with a separator between them.",
      "concat_ws('-', 'a', null, 'b')", "a-b", group: group
    ) { arguments, frame in
      let texts = arguments.map { frame.texts($0) }
      return Rows.texts(frame.count) { row, out in
        guard let separator = texts[0][row] else { return false }
        var isFirst = true
        for text in texts.dropFirst() {
          guard let value = text[row] else { continue }
          if !isFirst { out.append(separator) }
          out.append(value)
          isFirst = false
        }
        return true
      }
    },
  ]

  private static func side(
    _ name: String, _ summary: String, _ example: String, _ result: String, isLeft: Bool
  ) -> FunctionSpec {
    FunctionSpec(name, [], [.text(), .int()], .text, summary, example, result, group: group) {
      arguments, frame in
      let text = frame.texts(arguments[0])
      let counts = frame.ints(arguments[1])
      return Rows.texts(frame.count) { row, out in
        guard let value = text[row], let wanted = counts[row] else { return false }
        let count = Int64(CodePoints.count(value))
        let bounded = max(-count, min(count, wanted))
        let kept = Int(bounded < 0 ? count + bounded : bounded)
        out.append(
          isLeft
            ? CodePoints.prefix(value, kept)
            : CodePoints.slice(value, Int(count) - kept, kept))
        return true
      }
    }
  }

  static let searches: [FunctionSpec] = [
    test(
      "starts_with", ["prefix"], "Whether the text begins with another.",
      "starts_with('hello', 'he')"
    ) { text, wanted in
      text.count >= wanted.count && text.prefix(wanted.count).elementsEqual(wanted)
    },
    test(
      "ends_with", ["suffix"], "Whether the text ends with another.",
      "ends_with('hello', 'lo')"
    ) { text, wanted in
      text.count >= wanted.count && text.suffix(wanted.count).elementsEqual(wanted)
    },
    FunctionSpec(
      "contains", ["list_contains"], [.any("text"), .any("part")], .bool,
      "Whether a text has another in it, or a list an element.", "contains('hello', 'ell')", "true",
      group: group
    ) { arguments, frame in
      let cells = CellReader(arguments[0])
      let items = CellReader(arguments[1])
      let text = frame.texts(arguments[0])
      let parts = frame.texts(arguments[1])
      return Rows.bools(frame.count) { row in
        guard let value = text[row], let part = parts[row] else { return nil }
        if case .nested = cells[row] { return NestedFunctions.contains(value, items[row]) }
        return CodePoints.find(part, in: value, from: 0) != nil
      }
    },
    FunctionSpec(
      "strpos", ["instr", "position"], [.text(), .text("part")], .int,
      "The position, from 1, at which a text has another in it; 0 when nowhere.",
      "strpos('hello', 'l')", "3", group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let parts = frame.texts(arguments[1])
      return Rows.ints(frame.count) { row in
        guard let value = text[row], let part = parts[row] else { return nil }
        guard let at = CodePoints.find(part, in: value, from: 0) else { return 0 }
        return Int64(CodePoints.count(UnsafeRawBufferPointer(rebasing: value[..<at]))) + 1
      }
    },
  ]

  private static func test(
    _ name: String, _ aliases: [String], _ summary: String, _ example: String,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Bool
  ) -> FunctionSpec {
    FunctionSpec(
      name, aliases, [.text(), .text("part")], .bool, summary, example, "true", group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let parts = frame.texts(arguments[1])
      return Rows.bools(frame.count) { row in
        guard let value = text[row], let part = parts[row] else { return nil }
        return body(value, part)
      }
    }
  }
}
