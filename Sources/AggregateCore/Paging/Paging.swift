/// How the pages of a part follow each other: one model for all providers.
///
/// It says what a page is asked with and what makes one the last. ``PageWalk`` walks it.
public struct Paging<Payload: Sendable>: Sendable {
  /// Something that an answer says about its pages.
  public struct Field: Sendable {
    /// Where it stands, as users write it, such as `$.meta.total`.
    public let name: String
    /// What stands there; nil when there is nothing, or null.
    public let read: @Sendable (Payload) throws -> PagingValue?

    /// Creates a field.
    public init(_ name: String, read: @escaping @Sendable (Payload) throws -> PagingValue?) {
      self.name = name
      self.read = read
    }

    /// The whole number that stands there, also as text; nil when there is none.
    func count(_ payload: Payload?) throws -> Int? {
      switch try payload.flatMap(read) {
      case .number(let text), .text(let text): Int(text)
      case .flag, .other, nil: nil
      }
    }

    /// Whether it says yes; nil when it says nothing.
    func says(_ payload: Payload?) throws -> Bool? {
      switch try payload.flatMap(read) {
      case .flag(let value): value
      case .text(let text): !text.isEmpty
      case .number(let text): text != "0"
      case .other: true
      case nil: nil
      }
    }

    /// The text that stands there; nil when there is none, or an empty one.
    ///
    /// - Parameter wanted: What it is to be, for messages.
    /// - Throws: ``AggregateError`` with code `pagination` when it is something else.
    func text(_ payload: Payload?, wanted: String, isAddress: Bool = false) throws -> String? {
      switch try payload.flatMap(read) {
      case .text(let text): return text.isEmpty ? nil : text
      case .number(let text) where isAddress: throw misfit(text, wanted)
      case .number(let text): return text
      case .flag(false), nil: return nil
      case .flag(true): throw misfit("true", wanted)
      case .other(let shown): throw misfit(shown, wanted)
      }
    }

    private func misfit(_ shown: String, _ wanted: String) -> AggregateError {
      AggregateError(.pagination, "“\(name)” is \(shown), where \(wanted) is expected")
    }
  }

  /// Pages that are asked for by a number: of the page, or of the records before it.
  public struct Numbered: Sendable {
    /// What the number is called.
    public var param: String
    /// The first number.
    public var first: Int
    /// The offset that the first of all records has: 0, or 1 where records are counted from 1.
    public var base = 0
    /// What the size of a page is called; nil when it is not sent.
    public var sizeParam: String?
    /// How many records a page is asked to have; nil when the server decides.
    public var size: Int?
    /// Whether the size stands before the number in an address.
    public var hasSizeFirst = false
    /// Where the number goes.
    public var place = PagePlace.query
    /// Where the number of all records stands.
    public var total: Field?
    /// Where the number of all pages stands.
    public var totalPages: Field?
    /// Where the answer says how many records the page may have: one with fewer is the last.
    public var granted: Field?
    /// Where the answer says whether there is more: false, 0 and the empty text mean no.
    public var more: Field?
    /// Whether offsets go on by `size` even after a page with fewer records.
    public var hasFixedSteps = false

    /// Creates a numbering.
    public init(_ param: String, first: Int, sizeParam: String? = nil, size: Int? = nil) {
      self.param = param
      self.first = first
      self.sizeParam = sizeParam
      self.size = size
    }
  }

  /// Pages that are asked for with a token of the page before.
  public struct Cursor: Sendable {
    /// Where in the body the token stands; nil for ``header``.
    public var from: Field?
    /// The header field that has the token.
    public var header: String?
    /// What the token is called.
    public var param: String?
    /// Where in the body of the request the token goes, instead of ``param``.
    public var path: [String]?
    /// Where the token goes.
    public var place = PagePlace.query

    /// Creates a cursor.
    public init(from: Field?, header: String? = nil, param: String?, path: [String]? = nil) {
      self.from = from
      self.header = header
      self.param = param
      self.path = path
    }
  }

  /// What the next page is asked with.
  public enum Kind: Sendable {
    /// There is but one.
    case single
    /// What ``Endpoint/request(after:_:)`` says.
    case rule
    /// The number of the page.
    case page(Numbered)
    /// The number of the records before it.
    case offset(Numbered)
    /// A token of the page before.
    case cursor(Cursor)
    /// An address in the body of the page before.
    case nextURL(Field)
    /// An address in the `Link` header of the page before.
    case linkHeader(rel: String)
  }

  /// An expression over an answer that makes its page the last.
  public struct Condition: Sendable {
    /// The expression as written.
    public let text: String
    /// Whether it holds, for a page of this index with this number and so many records.
    public let holds: @Sendable (Payload, _ index: Int, _ number: Int, _ records: Int) -> Bool

    /// Creates a condition.
    public init(
      _ text: String, holds: @escaping @Sendable (Payload, Int, Int, Int) -> Bool
    ) {
      self.text = text
      self.holds = holds
    }
  }

  /// What the next page is asked with.
  public var kind: Kind
  /// How many records an answer has, as the service counts them.
  public var count: @Sendable (Payload) -> Int
  /// Which page is the last when nothing else says so; nil for the rule of the kind.
  public var stopOn: StopRule?
  /// What makes a page the last.
  public var stopWhen: Condition?
  /// The most pages, when the paging itself says so.
  public var maxPages: Int?
  /// The most records that are wanted of a part.
  public var limit = Int.max
  /// Whether no two records of the service are equal, so that an equal page is a repeated one whatever else
  /// speaks for it.
  public var recordsDiffer = false
  /// What to do about a server that ignores how it is asked for a page.
  public var hint: String?

  /// Creates a policy.
  public init(_ kind: Kind, count: @escaping @Sendable (Payload) -> Int) {
    self.kind = kind
    self.count = count
  }

  /// One page.
  public static var single: Paging { Paging(.single) { _ in 0 } }

  /// Pages that ``Endpoint/request(after:_:)`` asks for.
  public static var rule: Paging { Paging(.rule) { _ in 0 } }

  /// Whether there may be more than one page.
  public var isPaging: Bool { if case .single = kind { false } else { true } }

  /// Whether each page names the one behind it, so that it can be asked for before its rows are read.
  var namesNext: Bool {
    switch kind {
    case .cursor, .nextURL, .linkHeader: true
    case .single, .rule, .page, .offset: false
    }
  }

  /// Whether the endpoint itself asks for the next page, once the rows of a page are known.
  var isRule: Bool { if case .rule = kind { true } else { false } }
}

/// What stands where an answer says something about its pages.
public enum PagingValue: Sendable, Hashable {
  /// A number, as written.
  case number(String)
  /// A text, maybe an empty one.
  case text(String)
  /// True or false.
  case flag(Bool)
  /// Something that has no meaning there, as messages show it.
  case other(shown: String)
}

/// Which page is the last when nothing else says so.
public enum StopRule: String, Sendable, CaseIterable {
  case empty, short, never
}
