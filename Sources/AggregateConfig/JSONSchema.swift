public import AggregateCore

/// The JSON Schema of `sources.yaml`, for editors; made of the same specs that check it.
public enum JSONSchema {
  /// The schema as indented JSON text.
  public static func text(providers: ProviderRegistry, stages: StageRegistry) -> String {
    var out = ""
    document(providers, stages).write(into: &out, indent: 0)
    return out + "\n"
  }

  /// A JSON value with its keys in order.
  indirect enum JSON {
    case text(String)
    case int(Int)
    case bool(Bool)
    case list([JSON])
    case object([(String, JSON)])

    func write(into out: inout String, indent: Int) {
      let inner = String(repeating: "  ", count: indent + 1)
      let outer = String(repeating: "  ", count: indent)
      switch self {
      case .text(let text): out += EscapedText.quoted(text)
      case .int(let value): out += String(value)
      case .bool(let value): out += value ? "true" : "false"
      case .list(let values):
        if values.isEmpty { out += "[]"; return }
        out += "[\n"
        for (index, value) in values.enumerated() {
          out += inner
          value.write(into: &out, indent: indent + 1)
          out += index == values.count - 1 ? "\n" : ",\n"
        }
        out += "\(outer)]"
      case .object(let entries):
        if entries.isEmpty { out += "{}"; return }
        out += "{\n"
        for (index, entry) in entries.enumerated() {
          out += "\(inner)\(EscapedText.quoted(entry.0)): "
          entry.1.write(into: &out, indent: indent + 1)
          out += index == entries.count - 1 ? "\n" : ",\n"
        }
        out += "\(outer)}"
      }
    }
  }

  /// A `${…}` may stand for any single value.
  private static let substitution = JSON.object([
    ("type", .text("string")), ("pattern", .text("\\$\\{")),
  ])

  private static func document(_ providers: ProviderRegistry, _ stages: StageRegistry) -> JSON {
    let named = { (item: JSON) in
      JSON.object([("type", .text("object")), ("additionalProperties", item)])
    }
    let sources = JSON.object([
      ("type", .text("object")),
      ("required", .list([.text("provider")])),
      ("properties", .object([("provider", choice(providers.names))])),
      (
        "allOf",
        .list(
          providers.providers.map { provider in
            .object([
              (
                "if",
                .object([
                  (
                    "properties",
                    .object([("provider", .object([("const", .text(provider.spec.name))]))])
                  )
                ])
              ),
              ("then", reference("provider_\(provider.spec.name)")),
            ])
          })
      ),
    ])
    let defaults = ConfigurationLoader.defaults(of: providers)
    var definitions: [(String, JSON)] = [("stages", stageList(stages)), ("source", sources)]
    for provider in providers.providers {
      definitions.append(
        ("provider_\(provider.spec.name)", object(SourceDeclaration.specs(of: provider))))
    }
    return .object([
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      ("title", .text("sources.yaml of aggregate")),
      ("type", .text("object")),
      ("required", .list([.text("version"), .text("sources")])),
      (
        "properties",
        .object([
          ("version", .object([("const", .int(1))])),
          ("defaults", object(defaults)),
          ("sources", named(reference("source"))),
          ("pipelines", named(object(PipelineDeclaration.specs))),
          (
            "tests",
            .object([("type", .text("array")), ("items", object(TestDeclaration.specs))])
          ),
        ])
      ),
      ("patternProperties", .object([("^(x-|\\.)", .bool(true))])),
      ("additionalProperties", .bool(false)),
      ("$defs", .object(definitions)),
    ])
  }

  private static func reference(_ name: String) -> JSON {
    .object([("$ref", .text("#/$defs/\(name)"))])
  }

  private static func stageList(_ stages: StageRegistry) -> JSON {
    let items = stages.stages.map { stage -> JSON in
      let spec = stage.spec
      return .object([
        ("type", .text("object")),
        ("description", .text(spec.summary)),
        ("required", .list([.text(spec.name)])),
        ("properties", .object([(spec.name, stageValue(spec))])),
        ("additionalProperties", .bool(false)),
      ])
    }
    let names = choice(stages.names)
    return .object([
      ("type", .text("array")), ("items", .object([("anyOf", .list(items + [names]))])),
    ])
  }

  private static func stageValue(_ spec: StageSpec) -> JSON {
    let whole = object(spec.options)
    let name: String
    switch spec.shorthand {
    case .value(let option), .entries(let option): name = option
    case .none: return anyOf([whole, .object([("type", .text("null"))])])
    }
    guard let option = spec.options.first(where: { $0.name == name }) else { return whole }
    return anyOf([schema(of: option.shape), whole])
  }

  private static func object(_ specs: [OptionSpec]) -> JSON {
    var entries: [(String, JSON)] = [("type", .text("object"))]
    let required = specs.filter(\.isRequired).map { JSON.text($0.name) }
    if !required.isEmpty { entries.append(("required", .list(required))) }
    entries.append(("properties", .object(specs.map { ($0.name, property($0)) })))
    entries.append(("additionalProperties", .bool(false)))
    return .object(entries)
  }

  private static func property(_ spec: OptionSpec) -> JSON {
    let inner = spec.name == "stages" ? reference("stages") : schema(of: spec.shape)
    guard case .object(var entries) = inner else { return inner }
    entries.append(("description", .text(spec.summary)))
    if let text = spec.defaultText { entries.append(("default", .text(text))) }
    if let example = spec.example { entries.append(("examples", .list([.text(example)]))) }
    return .object(entries)
  }

  private static func choice(_ words: [String]) -> JSON {
    .object([("enum", .list(words.map { .text($0) }))])
  }

  private static func anyOf(_ schemas: [JSON]) -> JSON { .object([("anyOf", .list(schemas))]) }

  /// Any single value: the field decides what it means.
  private static let scalar = JSON.object([
    ("type", .list(["string", "number", "boolean"].map { .text($0) }))
  ])

  private static func quantity(_ pattern: String) -> JSON {
    anyOf([.object([("type", .text("string")), ("pattern", .text(pattern))]), substitution])
  }

  private static func schema(of shape: Shape) -> JSON {
    switch shape {
    case .text, .template, .parsed: return scalar
    case .int(let range):
      var entries: [(String, JSON)] = [("type", .text("integer"))]
      if range.lowerBound != .min { entries.append(("minimum", .int(range.lowerBound))) }
      if range.upperBound != .max { entries.append(("maximum", .int(range.upperBound))) }
      return anyOf([.object(entries), substitution])
    case .number: return anyOf([.object([("type", .text("number"))]), substitution])
    case .bool:
      return anyOf([
        .object([("type", .text("boolean"))]), choice(["yes", "no", "on", "off"]), substitution,
      ])
    case .duration: return quantity("^[0-9.]+ ?(ms|s|sec|m|min|h|d|w)$")
    case .size: return quantity("^[0-9.]+ ?([kKmMgGtT][iI]?)?[bB]$")
    case .rate: return quantity("^[0-9]+ ?/ ?[0-9]* ?(s|sec|second|m|min|minute|h|hour|d|day)$")
    case .choice(let words):
      // `off` unquoted is a boolean for editors that read YAML 1.1.
      let extra: [JSON] = words.contains("off") ? [.object([("const", .bool(false))])] : []
      return anyOf([choice(words), substitution] + extra)
    case .list(let element, let orSingle):
      let list = JSON.object([("type", .text("array")), ("items", schema(of: element))])
      return orSingle ? anyOf([list, schema(of: element)]) : list
    case .map(let value, _):
      return .object([("type", .text("object")), ("additionalProperties", schema(of: value))])
    case .object(let specs): return object(specs)
    case .oneOf(let choices, let with):
      guard case .object(var entries) = object(choices + with) else { return object(choices) }
      let one = choices.map { JSON.object([("required", .list([.text($0.name)]))]) }
      entries.append(("oneOf", .list(one)))
      return .object(entries)
    case .either(let shapes): return anyOf(shapes.map { schema(of: $0) })
    case .any: return .object([])
    }
  }
}
