public import AggregateCore
internal import CXML

/// An XML document as a tree.
///
/// The document type is never given to the parser: no external entity is read, no file or address
/// opened, and entities declared inside the document are plain text within a bound.
public struct XMLDocument: Sendable {
  /// What is done about text that is not well-formed.
  public enum Mode: Sendable {
    /// It is an error.
    case strict
    /// What feed readers do: keep what can be made of it.
    case recovering
  }

  /// The outermost element.
  public let root: XMLElement
  /// What was done about text that is not well-formed; nil for nothing that changes what is read.
  let repairs: FeedRepairs?

  /// The deepest nesting that is read.
  static let maximumDepth = 512

  /// Parses `bytes` in the encoding that `contentType`, a byte order mark or the declaration name.
  ///
  /// - Throws: ``AggregateError``: `badData` when it is not XML, with the line; `limit` when its
  ///   entities grow beyond bounds; `configuration` when libxml2 is not installed.
  public init(parsing bytes: ByteBuffer, contentType: String? = nil, mode: Mode) throws {
    let text = EncodingDetection.utf8(bytes, contentType: contentType)
    self = try XMLDocument(text: text, mode: mode)
  }

  /// Parses UTF-8.
  init(text: [UInt8], mode: Mode) throws {
    guard cxml_load() == 1 else { throw Self.missingLibrary }
    var cleaner = XMLCleaner(isLenient: mode == .recovering)
    let clean = try cleaner.clean(text)
    guard !clean.isEmpty else {
      throw AggregateError(.badData, "the document is empty, where XML is expected")
    }
    let failure: AggregateError
    do {
      root = try Self.parse(clean, .strict)
      repairs = nil
      return
    } catch let error as AggregateError where mode == .recovering {
      failure = error
    }
    (root, repairs) = try Self.mended(text, failure)
  }

  /// The document with the mistakes in its structure mended as well.
  private static func mended(
    _ text: [UInt8], _ failure: AggregateError
  ) throws -> (XMLElement, FeedRepairs?) {
    var cleaner = XMLCleaner(isLenient: true, keepsTags: true)
    let clean = try cleaner.clean(text)
    var mender = XMLMender(clean, cleaner.startTags, original: text)
    let mended = mender.mend()
    guard !mended.isEmpty else { throw failure }
    var repairs = mender.repairs
    repairs.reason = failure.message + (failure.location.map { " (line \($0.line))" } ?? "")
    if let root = try? parse(mended, .strict) { return (root, repairs.isEmpty ? nil : repairs) }
    guard let root = try? parse(mended, .recovering) else { throw failure }
    repairs.isUnread = true
    return (root, repairs)
  }

  static let missingLibrary = AggregateError(
    .configuration, "reading XML needs libxml2, which is not installed",
    hint: "on Debian and Ubuntu: apt-get install libxml2; on Fedora: dnf install libxml2")

  /// A reason of the parser, without what only its programmers can act on.
  private static func words(_ reason: Substring) -> String {
    reason.hasPrefix("Excessive depth") ? "its elements are nested too deep" : String(reason)
  }

  /// The most attributes of an element: the time of the parser grows with their square.
  private static let mostAttributes = 1000

  /// Whether an element has more attributes than are read.
  private static func hasTooManyAttributes(_ text: [UInt8]) -> Bool {
    var i = 0
    while let start = text[i...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = text[start...]
      if rest.starts(with: "<!--".utf8) || rest.starts(with: "<![CDATA[".utf8) {
        let end: StaticString = rest.starts(with: "<!--".utf8) ? "-->" : "]]>"
        guard let found = XMLCleaner.find(end, in: text, from: start) else { return false }
        i = found + 3
        continue
      }
      var count = 0
      var quote: UInt8?
      i = start + 1
      while i < text.count {
        let byte = text[i]
        i += 1
        if quote != nil {
          if byte == quote { quote = nil }
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == UInt8(ascii: "=") {
          count += 1
          if count > mostAttributes { return true }
        } else if byte == UInt8(ascii: ">") {
          break
        }
      }
    }
    return false
  }

  private static func parse(_ text: [UInt8], _ mode: Mode) throws -> XMLElement {
    if hasTooManyAttributes(text) {
      throw AggregateError(
        .limit, "an element of the XML document has more than \(mostAttributes) attributes")
    }
    var line: Int32 = 0
    var column: Int32 = 0
    var message = [CChar](repeating: 0, count: 256)
    let document = text.withUnsafeBytes { bytes in
      cxml_parse(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
        mode == .recovering ? 1 : 0, &line, &column, &message, message.count)
    }
    guard let document else {
      let reason = String(
        decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
      ).split(whereSeparator: \.isNewline).first.map(Self.words)
      throw AggregateError(
        .badData,
        "the document is not well-formed XML"
          + (reason.map { ": \($0)" } ?? ""),
        hint: text.contains { $0 > 0x20 }
          ? "it begins with “\(Received.beginning(of: text))”" : "nothing but comments is in it",
        // The file is named by who knows it.
        location: line > 0
          ? SourceLocation(file: "", line: Int(line), column: max(1, Int(column))) : nil)
    }
    defer { cxml_free_document(document) }
    guard let walker = cxml_walk(document) else {
      throw AggregateError(.limit, "there is not enough memory for the XML document")
    }
    defer { cxml_free_walker(walker) }
    var builder = XMLTreeBuilder(walker: walker)
    guard let root = try builder.build() else {
      throw AggregateError(
        .badData, "the document has no XML element",
        hint: "it begins with “\(Received.beginning(of: text))”")
    }
    return root
  }
}

/// Copies the nodes that a walker visits into a tree.
private struct XMLTreeBuilder {
  let walker: OpaquePointer
  private var stack: [XMLElement] = []
  private var root: XMLElement?
  // The library keeps one copy of each name, so that names are found again by address.
  private var texts: [UnsafeRawPointer: String] = [:]

  init(walker: OpaquePointer) { self.walker = walker }

  mutating func build() throws -> XMLElement? {
    while cxml_next(walker) == 1 {
      switch Int(cxml_kind(walker)) {
      case CXML_ELEMENT: try open()
      case CXML_END_ELEMENT: close()
      case CXML_TEXT, CXML_CDATA, CXML_SIGNIFICANT_WHITESPACE:
        if !stack.isEmpty, let value = cxml_value(walker) {
          stack[stack.count - 1].append(String(cString: value))
        }
      default: break
      }
      if root != nil { break }
    }
    while root == nil && !stack.isEmpty { close() }
    return root
  }

  private mutating func open() throws {
    guard stack.count < XMLDocument.maximumDepth else {
      throw AggregateError(
        .limit, "the XML elements are nested more than \(XMLDocument.maximumDepth) deep")
    }
    let isEmpty = cxml_is_empty(walker) == 1
    var element = XMLElement(name: name())
    while cxml_next_attribute(walker) == 1 {
      if cxml_is_namespace_declaration(walker) == 1 { continue }
      let value = cxml_value(walker).map { String(cString: $0) } ?? ""
      element.attributes.append(XMLAttribute(name: name(), value: value))
    }
    cxml_leave_attributes(walker)
    stack.append(element)
    if isEmpty { close() }
  }

  private mutating func close() {
    guard let element = stack.popLast() else { return }
    if stack.isEmpty {
      root = element
    } else {
      stack[stack.count - 1].children.append(.element(element))
    }
  }

  private mutating func name() -> XMLName {
    var local = text(cxml_local_name(walker)) ?? ""
    var prefix = text(cxml_prefix(walker))
    // An unbound prefix stays part of the name.
    if prefix == nil, let colon = local.firstIndex(of: ":") {
      prefix = String(local[..<colon])
      local = String(local[local.index(after: colon)...])
    }
    return XMLName(local: local, prefix: prefix, namespace: text(cxml_namespace(walker)))
  }

  private mutating func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    guard let pointer else { return nil }
    let key = UnsafeRawPointer(pointer)
    if let known = texts[key] { return known }
    let text = String(cString: pointer)
    texts[key] = text
    return text
  }
}
