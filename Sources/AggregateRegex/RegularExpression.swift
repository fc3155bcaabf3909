internal import CRE2
// Linked through its module map, for C++ sources link nothing by themselves.
private import SystemRE2

/// A compiled pattern in RE2's syntax, matched in time linear in the text.
///
/// Texts are bytes, taken as UTF-8. Matching from several threads at once is safe: RE2 locks the
/// caches that it fills while matching, and nothing else of the pattern ever changes.
public final class RegularExpression: @unchecked Sendable {
  /// How a pattern is read.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Creates options from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Upper and lower case letters match each other.
    public static let ignoreCase = Options(rawValue: 1)
    /// `.` matches a line feed as well.
    public static let dotMatchesNewline = Options(rawValue: 2)
    /// `^` and `$` match at the beginning and end of each line.
    public static let multiLine = Options(rawValue: 4)
  }

  /// The pattern as it was given.
  public let pattern: String
  /// How many groups it has, the whole match not counted.
  public let groupCount: Int
  private let compiled: OpaquePointer

  /// Compiles `pattern`.
  ///
  /// - Throws: ``RegularExpressionError`` that says what is wrong and which part of the pattern it is.
  public init(_ pattern: String, options: Options = []) throws(RegularExpressionError) {
    var text = pattern
    let made = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        cre2_new(
          $0.baseAddress, $0.count, options.contains(.ignoreCase),
          options.contains(.dotMatchesNewline), options.contains(.multiLine))
      }
    }
    guard let made else {
      throw RegularExpressionError("there is not enough memory to compile it", pattern: pattern)
    }
    guard cre2_error(made) == 0 else {
      let error = RegularExpressionError(describing: made, pattern: pattern)
      cre2_free(made)
      throw error
    }
    self.pattern = pattern
    groupCount = Int(cre2_group_count(made))
    compiled = made
  }

  deinit { cre2_free(compiled) }

  /// Whether it matches somewhere in `bytes`, or, when `anchored`, the whole of it.
  public func matches(_ bytes: UnsafeRawBufferPointer, anchored: Bool = false) -> Bool {
    bytes.withMemoryRebound(to: CChar.self) {
      cre2_match(compiled, $0.baseAddress, $0.count, 0, anchored, nil, 0)
    }
  }

  /// Whether it matches somewhere in `text`, or, when `anchored`, the whole of it.
  public func matches(_ text: String, anchored: Bool = false) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0), anchored: anchored) }
  }

  /// The first match that begins at `start` or later: the range of the whole, then of each group.
  ///
  /// A group that took no part has no range. Nil when nothing matches, or when `start` lies outside.
  public func firstMatch(
    in bytes: UnsafeRawBufferPointer, from start: Int = 0, anchored: Bool = false
  ) -> [Range<Int>?]? {
    guard (0...bytes.count).contains(start) else { return nil }
    var spans = [CRE2Span](repeating: CRE2Span(start: -1, end: -1), count: groupCount + 1)
    let found = bytes.withMemoryRebound(to: CChar.self) { text in
      spans.withUnsafeMutableBufferPointer {
        cre2_match(
          compiled, text.baseAddress, text.count, start, anchored, $0.baseAddress, Int32($0.count))
      }
    }
    return found ? spans.map { $0.start < 0 ? nil : $0.start..<$0.end } : nil
  }

  /// The first match in `text`: the whole, then each group; nil for a group that took no part.
  public func firstMatch(in text: String, anchored: Bool = false) -> [String?]? {
    var text = text
    return text.withUTF8 { bytes in
      firstMatch(in: UnsafeRawBufferPointer(bytes), anchored: anchored)?.map { range in
        range.map { String(decoding: bytes[$0], as: UTF8.self) }
      }
    }
  }

  /// Says what is wrong with a template for replacing (`\1` group 1, `\0` the whole, `\\` a backslash).
  public func checkTemplate(_ template: String) throws(RegularExpressionError) {
    var text = template
    var message = [CChar](repeating: 0, count: 256)
    let good = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        message.withUnsafeMutableBufferPointer { message in
          guard let start = message.baseAddress else { return false }
          return cre2_check_template(compiled, text.baseAddress, text.count, start, message.count)
        }
      }
    }
    if good { return }
    let said = String(
      decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    throw RegularExpressionError(
      "the replacement “\(template)” cannot be used: \(said)", pattern: pattern,
      hint: groupCount == 0
        ? "the pattern has no groups; \\0 is the whole match, \\\\ a backslash"
        : "\\0 is the whole match, \\1 to \\\(min(groupCount, 9)) are the groups, \\\\ is a backslash"
    )
  }

  /// The range of a group in the first match at `start` or later; group 0 is the whole match.
  ///
  /// Nil when nothing matches, or the group took no part, or there is no such group. Allocates nothing
  /// for patterns of up to 15 groups.
  public func range(
    ofGroup group: Int, in bytes: UnsafeRawBufferPointer, from start: Int = 0,
    anchored: Bool = false
  ) -> Range<Int>? {
    guard (0...groupCount).contains(group), (0...bytes.count).contains(start) else { return nil }
    return withUnsafeTemporaryAllocation(of: CRE2Span.self, capacity: group + 1) { spans in
      let found = bytes.withMemoryRebound(to: CChar.self) { text in
        cre2_match(
          compiled, text.baseAddress, text.count, start, anchored, spans.baseAddress,
          Int32(spans.count))
      }
      guard found, spans[group].start >= 0 else { return nil }
      return spans[group].start..<spans[group].end
    }
  }

  /// Calls `body` with `bytes` in which the first match, or all matches, are replaced by `template`.
  ///
  /// In the template `\1` stands for group 1 and `\0` for the whole match. Check the template once
  /// with ``checkTemplate(_:)``; with a wrong one nothing is replaced. Returns nil, without calling
  /// `body`, when nothing matches.
  public func withReplaced<R>(
    _ bytes: UnsafeRawBufferPointer, with template: String, all: Bool = true,
    _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R? {
    var result: UnsafeMutablePointer<CChar>?
    var length = 0
    var template = template
    let count = bytes.withMemoryRebound(to: CChar.self) { text in
      template.withUTF8 { with in
        with.withMemoryRebound(to: CChar.self) {
          cre2_replace(
            compiled, text.baseAddress, text.count, $0.baseAddress, $0.count, all, &result, &length)
        }
      }
    }
    guard count > 0, let result else { return nil }
    defer { cre2_free_text(result) }
    return try body(UnsafeRawBufferPointer(start: result, count: length))
  }

  /// A copy of `bytes` with the first match, or all matches, replaced; nil when nothing matches.
  public func replacing(
    _ bytes: UnsafeRawBufferPointer, with template: String, all: Bool = true
  ) -> [UInt8]? {
    withReplaced(bytes, with: template, all: all) { Array($0) }
  }

  /// `text` with the first match, or all matches, replaced by `template`.
  public func replacing(_ text: String, with template: String, all: Bool = true) -> String {
    var copy = text
    let replaced = copy.withUTF8 {
      replacing(UnsafeRawBufferPointer($0), with: template, all: all)
    }
    return replaced.map { String(decoding: $0, as: UTF8.self) } ?? text
  }
}
