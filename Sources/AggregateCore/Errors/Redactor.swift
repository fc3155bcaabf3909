import Synchronization

/// Removes secrets from text, by value and in every form they may take.
///
/// All that leaves for stderr, reports, plans, caches and recordings passes through one redactor.
public final class Redactor: Sendable {
  /// The shortest value that is treated as a secret, in characters.
  public static let minimumLength = 4
  /// What stands in the place of a secret.
  public static let mask = "***"

  private let needles = Mutex<[String]>([])

  /// Creates a redactor that knows no secret.
  public init() {}

  /// Registers a secret: as it is, percent-encoded and in Base64.
  public func register(_ secret: String) {
    guard secret.count >= Self.minimumLength else { return }
    var forms = [
      secret, WebURL.encoded(secret), WebURL.encoded(secret, keeping: "/"),
      WebURL.encoded(secret).replacingFirst("%20", with: "+"), Base64.encode(Array(secret.utf8)),
      String(EscapedText.quoted(secret).dropFirst().dropLast()),
    ]
    forms.append(contentsOf: secret.split(whereSeparator: \.isNewline).map(String.init))
    let usable = forms.filter { $0.count >= Self.minimumLength }
    needles.withLock { needles in
      for form in usable where !needles.contains(form) { needles.append(form) }
      // Longest first, so that a secret that contains another one goes as a whole.
      needles.sort { $0.utf8.count > $1.utf8.count }
    }
  }

  /// Registers user and password of Basic authentication, in the form the header has.
  public func registerBasic(user: String, password: String) {
    register(password)
    register(Base64.encode(Array("\(user):\(password)".utf8)))
  }

  /// `text` with every secret replaced by ``mask``.
  public func redact(_ text: String) -> String {
    let needles = needles.withLock { $0 }
    guard !needles.isEmpty else { return text }
    var result = text
    for needle in needles where result.contains(needle) {
      result = result.replacingAll(needle, with: Self.mask)
    }
    return result
  }
}

extension String {
  /// All places where `needle` stands, replaced.
  func replacingAll(_ needle: String, with replacement: String) -> String {
    var out: [UInt8] = []
    let text = Array(utf8)
    let wanted = Array(needle.utf8)
    guard !wanted.isEmpty, text.count >= wanted.count else { return self }
    var i = 0
    while i < text.count {
      if text[i] == wanted[0], i + wanted.count <= text.count,
        text[i..<i + wanted.count].elementsEqual(wanted)
      {
        out.append(contentsOf: replacement.utf8)
        i += wanted.count
      } else {
        out.append(text[i])
        i += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  fileprivate func replacingFirst(_ needle: String, with replacement: String) -> String {
    replacingAll(needle, with: replacement)
  }
}
