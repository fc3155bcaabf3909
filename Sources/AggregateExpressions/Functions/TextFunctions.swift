import AggregateCore

/// Functions of text. Lengths and positions count code points.
enum TextFunctions {
  static let group = "text"

  static let all: [FunctionSpec] =
    measures + edits + parts + searches + hashes + formats + RegexFunctions.all

  /// One text to one text.
  static func map(
    _ name: String, _ aliases: [String], _ summary: String, _ example: String, _ result: String,
    _ body: @escaping @Sendable (UnsafeRawBufferPointer, inout ByteBuilder) -> Void
  ) -> FunctionSpec {
    FunctionSpec(name, aliases, [.text()], .text, summary, example, result, group: group) {
      arguments, frame in
      let text = frame.texts(arguments[0])
      return Rows.texts(frame.count) { row, out in
        guard let value = text[row] else { return false }
        body(value, &out)
        return true
      }
    }
  }

  private static let measures: [FunctionSpec] = [
    FunctionSpec(
      "length", ["len", "char_length", "character_length"], [.any("text")], .int,
      "The number of code points of a text, or of elements of a list.", "length('it''s')", "4",
      group: group
    ) { arguments, frame in
      let reader = CellReader(arguments[0])
      let text = frame.texts(arguments[0])
      return Rows.ints(frame.count) { row in
        guard let bytes = text[row] else { return nil }
        if case .nested = reader[row] { return NestedFunctions.length(bytes) }
        return Int64(CodePoints.count(bytes))
      }
    },
    FunctionSpec(
      "strlen", ["octet_length"], [.text()], .int, "The number of bytes of a text in UTF-8.",
      "strlen('é')", "2", group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      return Rows.ints(frame.count) { row in text[row].map { Int64($0.count) } }
    },
    FunctionSpec(
      "ascii", ["unicode", "ord"], [.text()], .int, "The number of the first code point.",
      "ascii('A')", "65", group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      return Rows.ints(frame.count) { row in
        text.string(row).map { Int64($0.unicodeScalars.first?.value ?? 0) }
      }
    },
    FunctionSpec(
      "chr", [], [.int()], .text, "The code point with this number.", "chr(65)", "A", group: group
    ) { arguments, frame in
      let codes = frame.ints(arguments[0])
      return Rows.texts(frame.count) { row, out in
        guard let code = codes[row] else { return false }
        guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else {
          frame.lost("not a code point") { String(code) }
          return false
        }
        out.append(String(Character(scalar)))
        return true
      }
    },
  ]

  private static let edits: [FunctionSpec] = [
    map("upper", ["ucase"], "The text in capital letters.", "upper('abc')", "ABC") { text, out in
      if text.allSatisfy({ $0 < 0x80 }) {
        for byte in text { out.append(byte >= 0x61 && byte <= 0x7A ? byte ^ 0x20 : byte) }
      } else {
        out.append(SimpleCase.upper(String(decoding: text, as: UTF8.self)))
      }
    },
    map("lower", ["lcase"], "The text in small letters.", "lower('ABC')", "abc") { text, out in
      if text.allSatisfy({ $0 < 0x80 }) {
        for byte in text { out.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
      } else {
        out.append(SimpleCase.lower(String(decoding: text, as: UTF8.self)))
      }
    },
    map("reverse", [], "The characters in reverse order.", "reverse('abc')", "cba") { text, out in
      out.append(String(String(decoding: text, as: UTF8.self).reversed()))
    },
    trim("trim", ["btrim"], "both ends", "trim('  a ')", "a", start: true, end: true),
    trim("ltrim", [], "the beginning", "ltrim('xxa', 'x')", "a", start: true, end: false),
    trim("rtrim", [], "the end", "rtrim('axx', 'x')", "a", start: false, end: true),
    pad("lpad", "left", "lpad('7', 3, '0')", "007", isLeft: true),
    pad("rpad", "right", "rpad('a', 3, '.')", "a..", isLeft: false),
    FunctionSpec(
      "repeat", [], [.text(), .int()], .text, "The text so many times.", "repeat('ab', 2)", "abab",
      group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let counts = frame.ints(arguments[1])
      return Rows.texts(frame.count) { row, out in
        guard let value = text[row], let count = counts[row] else { return false }
        let (size, overflow) = Int64(value.count).multipliedReportingOverflow(by: max(count, 0))
        guard !overflow, size <= limit else {
          frame.lost("the text is too long") { "\(count) times" }
          return false
        }
        if value.count > 0, count > 0 { for _ in 0..<count { out.append(value) } }
        return true
      }
    },
    FunctionSpec(
      "replace", [], [.text(), .text("old"), .text("new")], .text,
      "Every occurrence of a text replaced by another.", "replace('banana', 'a', 'o')", "bonono",
      group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let old = frame.texts(arguments[1])
      let new = frame.texts(arguments[2])
      return Rows.texts(frame.count) { row, out in
        guard let value = text[row], let a = old[row], let b = new[row] else { return false }
        var start = 0
        while let at = CodePoints.find(a, in: value, from: start), a.count > 0 {
          out.append(UnsafeRawBufferPointer(rebasing: value[start..<at]))
          out.append(b)
          start = at + a.count
        }
        out.append(UnsafeRawBufferPointer(rebasing: value[start...]))
        return true
      }
    },
    FunctionSpec(
      "translate", [], [.text(), .text("from"), .text("to")], .text,
      "Each character of one set replaced by its counterpart in another.",
      "translate('12345', '143', 'ax')", "a2x5", group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let from = frame.texts(arguments[1])
      let to = frame.texts(arguments[2])
      return Rows.texts(frame.count) { row, out in
        guard let value = text.string(row), let a = from.string(row), let b = to.string(row)
        else { return false }
        let old = Array(a.unicodeScalars)
        let new = Array(b.unicodeScalars)
        var result = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
          guard let index = old.firstIndex(of: scalar) else {
            result.append(scalar)
            continue
          }
          if index < new.count { result.append(new[index]) }
        }
        out.append(String(result))
        return true
      }
    },
  ]

  /// The longest text that a function makes, in bytes.
  static let limit: Int64 = 1 << 26

  private static func trim(
    _ name: String, _ aliases: [String], _ place: String, _ example: String, _ result: String,
    start: Bool, end: Bool
  ) -> FunctionSpec {
    FunctionSpec(
      name, aliases, [.text(), .text("characters", .optional)], .text,
      "The text without spaces, or without the given characters, at \(place).", example, result,
      group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let sets = arguments.count > 1 ? frame.texts(arguments[1]) : nil
      return Rows.texts(frame.count) { row, out in
        guard let value = text[row] else { return false }
        var set: Set<Unicode.Scalar>?
        if let sets {
          guard let characters = sets.string(row) else { return false }
          set = Set(characters.unicodeScalars)
        }
        let scalars = String(decoding: value, as: UTF8.self).unicodeScalars
        let isDropped = { (scalar: Unicode.Scalar) in
          set?.contains(scalar) ?? (scalar.properties.generalCategory == .spaceSeparator)
        }
        var rest = scalars[...]
        if start { rest = rest.drop(while: isDropped) }
        if end { while let last = rest.last, isDropped(last) { rest.removeLast() } }
        out.append(String(rest))
        return true
      }
    }
  }

  private static func pad(
    _ name: String, _ side: String, _ example: String, _ result: String, isLeft: Bool
  ) -> FunctionSpec {
    FunctionSpec(
      name, [], [.text(), .int("length"), .text("filler")], .text,
      "The text filled on the \(side), or cut, to so many characters.", example, result,
      group: group
    ) { arguments, frame in
      let text = frame.texts(arguments[0])
      let lengths = frame.ints(arguments[1])
      let fillers = frame.texts(arguments[2])
      return Rows.texts(frame.count) { row, out in
        guard let value = text[row], let length = lengths[row], let filler = fillers.string(row)
        else { return false }
        let count = Int64(CodePoints.count(value))
        if count >= length {
          out.append(CodePoints.prefix(value, Int(max(0, length))))
          return true
        }
        let scalars = Array(filler.unicodeScalars)
        guard !scalars.isEmpty, length <= limit else {
          frame.lost(scalars.isEmpty ? "nothing to pad with" : "the text is too long") {
            String(decoding: value, as: UTF8.self)
          }
          return false
        }
        var padding = String.UnicodeScalarView()
        for i in 0..<Int(length - count) { padding.append(scalars[i % scalars.count]) }
        if isLeft { out.append(String(padding)) }
        out.append(value)
        if !isLeft { out.append(String(padding)) }
        return true
      }
    }
  }

  private static let hashes: [FunctionSpec] = [
    map(
      "md5", [], "The MD5 digest in hexadecimal digits.", "md5('hello')",
      "5d41402abc4b2a76b9719d911017c592"
    ) { text, out in
      out.append(Hexadecimal.text(MD5.digest(text)))
    },
    map(
      "sha256", [], "The SHA-256 digest in hexadecimal digits.", "left(sha256('hello'), 8)",
      "2cf24dba"
    ) { text, out in
      out.append(Hexadecimal.text(SHA256.digest(text)))
    },
    map(
      "url_encode", [], "The text with percent signs, as part of a URL.", "url_encode('a b&c')",
      "a%20b%26c"
    ) { text, out in
      out.append(WebURL.encoded(String(decoding: text, as: UTF8.self)))
    },
    map("base64", ["to_base64"], "The text's bytes in Base64.", "base64('hello')", "aGVsbG8=") {
      text, out in
      out.append(Base64.encode(Array(text)))
    },
  ]

  private static let formats: [FunctionSpec] = [
    formatting(
      "printf", "Values in a text with % placeholders, as C's printf.", "printf('%.2f', 3.14159)",
      "3.14", fill: TextFormat.printf),
    formatting(
      "format", "Values in a text with {} placeholders.", "format('{} and {}', 'a', 'b')",
      "a and b", fill: TextFormat.braces),
  ]

  /// A function that fills values into a pattern; `fill` gives nil when they do not fit it.
  private static func formatting(
    _ name: String, _ summary: String, _ example: String, _ result: String,
    fill: @escaping @Sendable ([UInt8], [CellValue]) -> String?
  ) -> FunctionSpec {
    FunctionSpec(
      name, [], [.text("format"), .any("value", .repeated)], .text, summary, example, result,
      group: group
    ) { arguments, frame in
      let format = frame.texts(arguments[0])
      let values = arguments.dropFirst().map(CellReader.init)
      return Rows.texts(frame.count) { row, out in
        guard let pattern = format[row] else { return false }
        let cells = values.map { $0[row] }
        if cells.contains(where: \.isNull) { return false }
        if let text = fill(Array(pattern), cells) {
          out.append(text)
          return true
        }
        frame.lost("the format does not fit its values") {
          String(decoding: pattern, as: UTF8.self)
        }
        return false
      }
    }
  }
}
