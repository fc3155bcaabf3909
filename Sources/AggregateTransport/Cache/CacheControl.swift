internal import AggregateCore

/// The directives of `Cache-Control`, by RFC 9111, section 5.2; of an answer or of a request.
///
/// Names match without case, values may be quoted, unknown directives have no effect. Of a directive
/// that is repeated with another value the stricter one counts.
struct CacheControl {
  /// What a directive is followed by; nil inside for one without a value, or with contradicting ones.
  private var directives: [String: String?] = [:]

  init(_ headers: [HTTPField]) {
    for field in headers where field.isNamed("cache-control") {
      for (name, value) in Self.parse(field.value) {
        guard let old = directives[name] else {
          directives.updateValue(value, forKey: name)
          continue
        }
        directives.updateValue(Self.stricter(old, value, of: name), forKey: name)
      }
    }
  }

  /// Whether the directive is there, with a value or without.
  func has(_ name: String) -> Bool { directives[name] != nil }

  /// The value in seconds; 0 when it is not a number of seconds, nil when there is no such directive.
  ///
  /// What can't be read means that an answer is not fresh (section 4.2.1).
  func seconds(_ name: String) -> Double? {
    guard let value = directives[name] else { return nil }
    return value.flatMap { Self.seconds(of: $0) } ?? 0
  }

  /// Whether the directive is there without a value.
  func isBare(_ name: String) -> Bool {
    if let value = directives[name] { value == nil } else { false }
  }

  /// Whether nothing may be used before the server has confirmed it: `no-cache` without field names.
  var isNeverFresh: Bool { has("no-cache") && fieldsToConfirm.isEmpty }

  /// The fields, in lower case, that are not to be used before the server has confirmed them.
  var fieldsToConfirm: Set<String> {
    guard case .some(.some(let names)) = directives["no-cache"] else { return [] }
    return Set(names.split(separator: ",").map { $0.trimmed.lowercased() }.filter { !$0.isEmpty })
  }

  /// Whether a stale answer must not be used, whatever happens (section 4.2.4).
  var forbidsStale: Bool { has("must-revalidate") || isNeverFresh }

  /// A number of seconds: digits and nothing else; more than fits is 2^31 (section 1.2.2).
  static func seconds(of text: some StringProtocol) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Double(min(Int(text) ?? .max, 1 << 31))
  }

  private static func stricter(_ a: String?, _ b: String?, of name: String) -> String? {
    guard let a, let b else { return nil }
    if name == "no-cache" { return "\(a),\(b)" }
    guard let first = seconds(of: a), let second = seconds(of: b) else { return nil }
    return first <= second ? a : b
  }

  /// Splits at commas outside of quotes; names are lowered, values unquoted.
  private static func parse(_ text: String) -> [(name: String, value: String?)] {
    var found: [(name: String, value: String?)] = []
    var name = ""
    var value: String?
    var isQuoted = false
    var isEscaped = false
    func append(_ character: Unicode.Scalar) {
      if value == nil {
        name.unicodeScalars.append(character)
      } else {
        value?.unicodeScalars.append(character)
      }
    }
    func end() {
      let trimmed = name.trimmed.lowercased()
      if !trimmed.isEmpty { found.append((trimmed, value?.trimmed)) }
      (name, value) = ("", nil)
    }
    for character in text.unicodeScalars {
      if isEscaped {
        append(character)
        isEscaped = false
      } else if isQuoted && character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character == "," && !isQuoted {
        end()
      } else if character == "=" && !isQuoted && value == nil {
        value = ""
      } else {
        append(character)
      }
    }
    end()
    return found
  }
}
