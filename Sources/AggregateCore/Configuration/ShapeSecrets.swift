extension Shape {
  /// Registers every value that the options mark as a secret, so that it is never shown.
  ///
  /// User and password that stand together are registered in the form Basic authentication has, too.
  public func registerSecrets(of node: Node, with redactor: Redactor) {
    switch self {
    case .object(let options): Self.registerSecrets(node, options, redactor)
    case .oneOf(let choices, let with): Self.registerSecrets(node, choices + with, redactor)
    case .list(let element, _):
      for node in node.sequence ?? [node] { element.registerSecrets(of: node, with: redactor) }
    case .map(let value, _):
      for entry in node.mapping ?? [] { value.registerSecrets(of: entry.value, with: redactor) }
    case .either(let shapes):
      for shape in shapes { shape.registerSecrets(of: node, with: redactor) }
    default: break
    }
  }

  private static func registerSecrets(
    _ node: Node, _ options: [OptionSpec], _ redactor: Redactor
  ) {
    for option in options {
      guard let value = node[option.name] else { continue }
      if option.isSecret {
        registerTexts(of: value, with: redactor)
      } else {
        option.shape.registerSecrets(of: value, with: redactor)
      }
    }
    if options.contains(where: { $0.name == "password" && $0.isSecret }),
      let password = node["password"]?.string,
      let user = node["user"]?.string ?? node["username"]?.string
    {
      redactor.registerBasic(user: user, password: password)
    }
  }

  private static func registerTexts(of node: Node, with redactor: Redactor) {
    switch node.content {
    case .scalar: if let text = node.string { redactor.register(text) }
    case .sequence(let nodes): for node in nodes { registerTexts(of: node, with: redactor) }
    case .mapping(let entries):
      for entry in entries { registerTexts(of: entry.value, with: redactor) }
    }
  }
}
