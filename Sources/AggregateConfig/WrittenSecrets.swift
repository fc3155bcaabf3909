internal import AggregateCore

/// Secrets that were written where they do not belong, so that they are not shown at least.
enum WrittenSecrets {
  private static let fields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "apikey",
    "x-auth-token", "x-access-token",
  ]

  /// Registers the values of header fields that carry credentials, and the user information of
  /// addresses.
  static func register(_ source: Node, with redactor: Redactor) {
    for field in source["headers"]?.mapping ?? [] where fields.contains(field.key.lowercased()) {
      guard let text = field.value.string else { continue }
      redactor.register(text)
      // Behind the name of a scheme, such as `Bearer`, or of a cookie.
      let words = text.split { $0 == " " || $0 == ";" }
      for word in words.count > 1 ? words.dropFirst() : words[...] {
        redactor.register(String(word))
      }
      for word in words {
        if let equals = word.firstIndex(of: "=") {
          redactor.register(String(word[word.index(after: equals)...]))
        }
      }
    }
    registerAddresses(source, with: redactor)
  }

  private static func registerAddresses(_ node: Node, with redactor: Redactor) {
    switch node.content {
    case .scalar:
      guard let text = node.string, let information = WebURL.userInformation(of: text) else {
        return
      }
      redactor.register(information)
      if let colon = information.firstIndex(of: ":") {
        redactor.register(String(information[information.index(after: colon)...]))
      }
    case .sequence(let nodes): for node in nodes { registerAddresses(node, with: redactor) }
    case .mapping(let entries):
      for entry in entries { registerAddresses(entry.value, with: redactor) }
    }
  }
}
