import AggregateCore
import AggregateRegex
import Synchronization

/// Functions of regular expressions (RE2: linear time, no backreferences in patterns).
enum RegexFunctions {
  private static let group = "text"

  static let all: [FunctionSpec] = [
    FunctionSpec(
      "regexp_matches", [], [.text(), .text("pattern"), .text("options", .optional)],
      type: { _ in .bool }, "Whether a pattern matches somewhere in a text.",
      "regexp_matches('abc', 'B', 'i')", "true", group: group,
      make: { (call) throws(ArgumentMistake) in try matching(call, anchored: false) }),
    FunctionSpec(
      "regexp_full_match", [], [.text(), .text("pattern"), .text("options", .optional)],
      type: { _ in .bool }, "Whether a pattern matches the whole of a text.",
      "regexp_full_match('abc', 'a.c')", "true", group: group,
      make: { (call) throws(ArgumentMistake) in try matching(call, anchored: true) }),
    FunctionSpec(
      "regexp_replace", [],
      [.text(), .text("pattern"), .text("replacement"), .text("options", .optional)],
      type: { _ in .text },
      "The first match, or with option g every match, replaced; \\1 is the first group.",
      "regexp_replace('banana', 'a', 'o', 'g')", "bonono", group: group,
      make: { (call) throws(ArgumentMistake) in
        let cache = try PatternCache(call, pattern: 1, options: 3)
        if let template = call.text(2), let pattern = cache.constant {
          do throws(RegularExpressionError) { try pattern.checkTemplate(template) } catch {
            throw ArgumentMistake(2, error.message, hint: error.hint)
          }
        }
        return { arguments, frame in
          let text = frame.texts(arguments[0])
          let patterns = frame.texts(arguments[1])
          let templates = frame.texts(arguments[2])
          let options = arguments.count > 3 ? frame.texts(arguments[3]) : nil
          return Rows.texts(frame.count) { row, out in
            guard let value = text[row], let template = templates.string(row),
              let pattern = cache.pattern(patterns, options, row, frame)
            else { return false }
            let isGlobal = options?.string(row)?.contains("g") ?? false
            if let replaced = pattern.replacing(value, with: template, all: isGlobal) {
              out.append(replaced)
            } else {
              out.append(value)
            }
            return true
          }
        }
      }),
    FunctionSpec(
      "regexp_extract", [],
      [.text(), .text("pattern"), .int("group", .optional), .text("options", .optional)],
      type: { _ in .text },
      "The first match, or a group of it; the empty text when nothing matches.",
      "regexp_extract('abc123', '([a-z]+)(\\d+)', 2)", "123", group: group,
      make: { (call) throws(ArgumentMistake) in
        let cache = try PatternCache(call, pattern: 1, options: 3)
        if call.constants.count > 2, case .int(let wanted)? = call.constants[2],
          let pattern = cache.constant, wanted < 0 || wanted > Int64(pattern.groupCount)
        {
          throw ArgumentMistake(
            2, "the pattern has \(pattern.groupCount) groups, so there is no group \(wanted)")
        }
        return { arguments, frame in
          let text = frame.texts(arguments[0])
          let patterns = frame.texts(arguments[1])
          let groups = arguments.count > 2 ? frame.ints(arguments[2]) : nil
          let options = arguments.count > 3 ? frame.texts(arguments[3]) : nil
          return Rows.texts(frame.count) { row, out in
            guard let value = text[row],
              let pattern = cache.pattern(patterns, options, row, frame)
            else { return false }
            var wanted = 0
            if let groups {
              guard let group = groups[row] else { return false }
              wanted = Int(clamping: group)
            }
            if let found = pattern.firstMatch(in: value), found.indices.contains(wanted),
              let range = found[wanted]
            {
              out.append(UnsafeRawBufferPointer(rebasing: value[range]))
            }
            return true
          }
        }
      }),
  ]

  private static func matching(
    _ call: FunctionSpec.Call, anchored: Bool
  ) throws(ArgumentMistake) -> Kernel {
    let cache = try PatternCache(call, pattern: 1, options: 2)
    return { arguments, frame in
      let text = frame.texts(arguments[0])
      let patterns = frame.texts(arguments[1])
      let options = arguments.count > 2 ? frame.texts(arguments[2]) : nil
      return Rows.bools(frame.count) { row in
        guard let value = text[row], let pattern = cache.pattern(patterns, options, row, frame)
        else { return nil }
        return pattern.matches(value, anchored: anchored)
      }
    }
  }
}

/// Compiled patterns of one call: a constant one is compiled once, others are remembered.
final class PatternCache: Sendable {
  /// The pattern, when it and its options are constant.
  let constant: RegularExpression?
  private let known = Mutex<[String: RegularExpression?]>([:])

  init(
    _ call: FunctionSpec.Call, pattern: Int, options: Int
  ) throws(ArgumentMistake) {
    let hasOptions = options < call.constants.count
    guard let text = call.text(pattern), !hasOptions || call.constants[options] != nil else {
      constant = nil
      return
    }
    let flags = try Self.options(hasOptions ? call.text(options) ?? "" : "", at: options)
    do throws(RegularExpressionError) {
      constant = try RegularExpression(text, options: flags)
    } catch {
      throw ArgumentMistake(pattern, error.message, hint: error.hint)
    }
  }

  private static func options(
    _ text: String, at index: Int
  ) throws(ArgumentMistake) -> RegularExpression.Options {
    var options: RegularExpression.Options = []
    for character in text {
      switch character {
      case "i": options.insert(.ignoreCase)
      case "c", "g": break
      case "s": options.insert(.dotMatchesNewline)
      case "m", "n", "p": options.insert(.multiLine)
      default:
        throw ArgumentMistake(
          index, "there is no option “\(character)”", hint: "the options are c, i, g, m, s")
      }
    }
    return options
  }

  /// The pattern of a row; nil when it is null, or malformed, which is counted.
  func pattern(
    _ patterns: TextReader, _ options: TextReader?, _ row: Int, _ frame: Frame
  ) -> RegularExpression? {
    if let constant { return constant }
    guard let text = patterns.string(row) else { return nil }
    var flags = ""
    if let options {
      guard let found = options.string(row) else { return nil }
      flags = found
    }
    let found = known.withLock { known -> RegularExpression? in
      let key = flags + "/" + text
      if let pattern = known[key] { return pattern }
      let pattern = try? RegularExpression(text, options: Self.options(flags, at: 0))
      if known.count > 1000 { known.removeAll() }
      known[key] = .some(pattern)
      return pattern
    }
    if found == nil { frame.lost("not a regular expression") { text } }
    return found
  }
}
