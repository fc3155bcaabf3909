public import AggregateCore

/// A scalar expression of the language of `filter`, `set` and `expect`, parsed.
public struct Expression: Sendable {
  /// What was written, and where.
  public let source: LocatedText
  let syntax: Syntax

  /// Parses an expression; nil, with a diagnostic that points into it, when it is malformed.
  public init?(_ text: LocatedText, _ diagnostics: inout Diagnostics) {
    do {
      syntax = try Parser.parse(text.text)
      source = text
    } catch {
      diagnostics.add(error.diagnostic(in: text))
      return nil
    }
  }

  init(_ syntax: Syntax, source: LocatedText) {
    self.syntax = syntax
    self.source = source
  }

  /// The syntax mistake in `text`; nil when there is none.
  public static func mistake(in text: String) -> Shape.Mistake? {
    do {
      _ = try Parser.parse(text)
      return nil
    } catch {
      return Shape.Mistake(
        error.message, offset: error.characterOffset(in: text), hint: error.hint)
    }
  }

  /// Compiles it for rows of `schema`.
  ///
  /// - Throws: ``DiagnosticsError`` for an unknown or ambiguous column, an unknown function, a wrong
  ///   number or type of arguments.
  public func bind(_ schema: Schema) throws -> BoundExpression {
    try bound(schema, isCondition: false)
  }

  /// Compiles it for rows of `schema`, as something that is true or false.
  ///
  /// - Throws: ``DiagnosticsError``, also when by its type it can be neither.
  public func bindCondition(_ schema: Schema) throws -> BoundExpression {
    try bound(schema, isCondition: true)
  }

  private func bound(_ schema: Schema, isCondition: Bool) throws -> BoundExpression {
    var binder = Binder(Names(schema: schema))
    do {
      let bound = isCondition ? try binder.condition(syntax) : try binder.bind(syntax)
      return BoundExpression(bound, references: binder.references)
    } catch {
      throw DiagnosticsError([error.diagnostic(in: source)])
    }
  }

  /// The name and the arguments, when the whole expression is one call such as `lag(temp, 2)`.
  public var call: (name: String, arguments: [Expression])? {
    guard case .call(let name, let arguments, _, _) = syntax.kind else { return nil }
    return (name, arguments.map { Expression($0, source: source) })
  }
}

extension SyntaxMistake {
  func characterOffset(in text: String) -> Int {
    var prefix = String.UnicodeScalarView()
    prefix.append(contentsOf: text.unicodeScalars.prefix(offset))
    return String(prefix).count
  }

  func diagnostic(in text: LocatedText) -> Diagnostic {
    Diagnostic(
      .error, code, message, at: text.location.advanced(by: characterOffset(in: text.text)),
      hint: hint)
  }
}
