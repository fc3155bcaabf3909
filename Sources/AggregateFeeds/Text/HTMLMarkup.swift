internal import AggregateCore

/// What feeds embed: HTML as text. No document is built; tags are found as browsers find them.
enum HTMLMarkup {
  /// A start or end tag, or a comment, by its place in the bytes.
  struct Tag {
    /// From `<` to behind `>`.
    var range: Range<Int>
    /// The name in lower case; empty for comments and declarations.
    var name: String
    /// Whether it begins with `</`.
    var isEnd: Bool
    /// The attributes: lower-case name, and the place of the value without quotes.
    var attributes: [(name: String, value: Range<Int>)]
  }

  /// Whether HTML has an element of this name, in lower case.
  static func isElement(_ name: String) -> Bool { known.contains(name) }

  /// Whether the element has neither content nor an end tag; the name is in lower case.
  static func isVoid(_ name: String) -> Bool { void.contains(name) }

  /// Whether a text that may be either is more likely HTML than plain text.
  static func isLikely(_ text: String) -> Bool {
    if HTMLEntities.hasReference(text) { return true }
    guard text.utf8.contains(UInt8(ascii: "<")) else { return false }
    let bytes = Array(text.utf8)
    var i = 0
    while let tag = nextTag(in: bytes, from: i) {
      if known.contains(tag.name), isCredible(tag, bytes) { return true }
      i = tag.range.upperBound
    }
    return false
  }

  /// The text that a reader of the HTML sees, on one line.
  ///
  /// What only looks like a tag is text, unless the HTML is known to be markup throughout.
  static func plainText(_ html: String, isMarkup: Bool = false) -> String {
    guard html.utf8.contains(UInt8(ascii: "<")) else {
      return collapsed(HTMLEntities.decoded(html))
    }
    let bytes = Array(html.utf8)
    var out: [UInt8] = []
    var i = 0
    var endless: Set<String> = []
    while let tag = nextTag(in: bytes, from: i) {
      var behindHidden: Int?
      if !tag.isEnd, tag.name == "script" || tag.name == "style", !endless.contains(tag.name) {
        behindHidden = firstEnd(of: tag.name, in: bytes, from: tag.range.upperBound)
        // A title about the tag does not close it.
        if behindHidden == nil { endless.insert(tag.name) }
      }
      guard isMarkup || (isCredible(tag, bytes) && !endless.contains(tag.name)) else {
        out.append(contentsOf: bytes[i..<tag.range.upperBound])
        i = tag.range.upperBound
        continue
      }
      out.append(contentsOf: bytes[i..<tag.range.lowerBound])
      i = tag.range.upperBound
      if let behindHidden { i = behindHidden }
      if !inline.contains(tag.name) { out.append(0x20) }
    }
    out.append(contentsOf: bytes[i...])
    return collapsed(HTMLEntities.decoded(String(decoding: out, as: UTF8.self)))
  }

  /// Whether what reads as a tag is meant as one: by a name that HTML has, or one with a prefix, and by
  /// attributes that have values, as `a<b then c>d` has not.
  private static func isCredible(_ tag: Tag, _ bytes: [UInt8]) -> Bool {
    if tag.name.isEmpty { return true }
    guard
      known.contains(tag.name) || old.contains(tag.name) || tag.name.contains(":")
        || tag.name.contains("-")
    else { return false }
    if tag.isEnd || !tag.attributes.isEmpty { return true }
    let start = tag.range.lowerBound + 1 + tag.name.utf8.count
    return bytes[start..<(tag.range.upperBound - 1)]
      .split { isSpace($0) || $0 == UInt8(ascii: "/") }
      .allSatisfy { flags.contains(String(decoding: $0, as: UTF8.self).lowercased()) }
  }

  /// Behind the end tag of the element `name`, whose content is no markup; all is its content when
  /// there is none.
  static func end(of name: String, in bytes: [UInt8], from start: Int) -> Int {
    firstEnd(of: name, in: bytes, from: start) ?? bytes.count
  }

  private static func firstEnd(of name: String, in bytes: [UInt8], from start: Int) -> Int? {
    let name = Array(name.utf8)
    var i = start
    while let open = bytes[i...].firstIndex(of: UInt8(ascii: "<")) {
      i = open + 1
      guard bytes[i...].first == UInt8(ascii: "/") else { continue }
      let found = bytes[(i + 1)...].prefix(name.count)
      guard found.elementsEqual(name, by: { $0 | 0x20 == $1 }) else { continue }
      let behind = bytes[(i + 1 + name.count)...]
      return behind.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
    }
    return nil
  }

  /// `text` with runs of white space as one space, and none around it.
  static func collapsed(_ text: String) -> String {
    text.split { $0 == " " || $0 == "\n" || $0 == "\r" || $0 == "\t" || $0 == "\r\n" }
      .joined(separator: " ")
  }

  /// The HTML with the relative addresses of links and images resolved against `base`.
  static func resolvingLinks(_ html: String, _ base: FeedBase) -> String {
    guard base.canResolve, html.utf8.contains(UInt8(ascii: "<")) else { return html }
    let bytes = Array(html.utf8)
    var out: [UInt8] = []
    var copied = 0
    var i = 0
    while let tag = nextTag(in: bytes, from: i) {
      for attribute in tag.attributes where addresses.contains(attribute.name) {
        let written = String(decoding: bytes[attribute.value], as: UTF8.self)
        let address = HTMLEntities.decoded(written)
        let resolved = base.resolve(address)
        if resolved == address { continue }
        out.append(contentsOf: bytes[copied..<attribute.value.lowerBound])
        out.append(contentsOf: escapedAttribute(resolved).utf8)
        copied = attribute.value.upperBound
      }
      i = tag.range.upperBound
    }
    if copied == 0 { return html }
    out.append(contentsOf: bytes[copied...])
    return String(decoding: out, as: UTF8.self)
  }

  /// The address of the first image that is not a counting pixel.
  static func firstImage(_ html: String) -> String? {
    guard html.utf8.contains(UInt8(ascii: "<")) else { return nil }
    let bytes = Array(html.utf8)
    var i = 0
    while let tag = nextTag(in: bytes, from: i) {
      i = tag.range.upperBound
      guard tag.name == "img", !tag.isEnd else { continue }
      func value(_ name: String) -> String? {
        tag.attributes.first { $0.name == name }
          .map { HTMLEntities.decoded(String(decoding: bytes[$0.value], as: UTF8.self)) }
      }
      if ["0", "1"].contains(value("width")) || ["0", "1"].contains(value("height")) { continue }
      guard let source = value("src"), !source.isEmpty, !source.hasPrefix("data:"),
        !source.contains("feedburner.com/~")
      else { continue }
      return source
    }
    return nil
  }

  /// The next tag that begins at `start` or later. One that is never closed is text, and so is all
  /// behind it, which also keeps the time linear.
  static func nextTag(in bytes: [UInt8], from start: Int) -> Tag? {
    var i = start
    while let open = bytes[i...].firstIndex(of: UInt8(ascii: "<")) {
      if beginsTag(bytes, open + 1) { return tag(in: bytes, at: open) }
      i = open + 1
    }
    return nil
  }

  private static func beginsTag(_ bytes: [UInt8], _ i: Int) -> Bool {
    guard i < bytes.count else { return false }
    switch bytes[i] {
    case UInt8(ascii: "!"), UInt8(ascii: "?"): return true
    case UInt8(ascii: "/"): return i + 1 < bytes.count && isLetter(bytes[i + 1])
    default: return isLetter(bytes[i])
    }
  }

  private static func tag(in bytes: [UInt8], at open: Int) -> Tag? {
    var i = open + 1
    if bytes[i] == UInt8(ascii: "!") || bytes[i] == UInt8(ascii: "?") {
      let isComment = bytes[i...].starts(with: "!--".utf8)
      while let end = bytes[i...].firstIndex(of: UInt8(ascii: ">")) {
        let closes =
          !isComment || (end >= open + 6 && bytes[(end - 2)..<end].elementsEqual("--".utf8))
        if closes { return Tag(range: open..<(end + 1), name: "", isEnd: false, attributes: []) }
        i = end + 1
      }
      return nil
    }
    let isEnd = bytes[i] == UInt8(ascii: "/")
    if isEnd { i += 1 }
    let nameStart = i
    while i < bytes.count, !isSpace(bytes[i]), bytes[i] != UInt8(ascii: ">"),
      bytes[i] != UInt8(ascii: "/")
    { i += 1 }
    let name = String(decoding: bytes[nameStart..<i], as: UTF8.self).lowercased()
    var attributes: [(name: String, value: Range<Int>)] = []
    while i < bytes.count {
      if bytes[i] == UInt8(ascii: ">") {
        return Tag(range: open..<(i + 1), name: name, isEnd: isEnd, attributes: attributes)
      }
      if isSpace(bytes[i]) || bytes[i] == UInt8(ascii: "/") {
        i += 1
        continue
      }
      let start = i
      i += 1
      while i < bytes.count, !isSpace(bytes[i]), bytes[i] != UInt8(ascii: "="),
        bytes[i] != UInt8(ascii: ">"), bytes[i] != UInt8(ascii: "/")
      { i += 1 }
      let attribute = String(decoding: bytes[start..<i], as: UTF8.self).lowercased()
      var j = i
      while j < bytes.count, isSpace(bytes[j]) { j += 1 }
      guard j < bytes.count, bytes[j] == UInt8(ascii: "=") else { continue }
      i = j + 1
      while i < bytes.count, isSpace(bytes[i]) { i += 1 }
      guard i < bytes.count else { return nil }
      if bytes[i] == UInt8(ascii: "\"") || bytes[i] == UInt8(ascii: "'") {
        guard let end = bytes[(i + 1)...].firstIndex(of: bytes[i]) else { return nil }
        attributes.append((attribute, (i + 1)..<end))
        i = end + 1
      } else {
        let valueStart = i
        while i < bytes.count, !isSpace(bytes[i]), bytes[i] != UInt8(ascii: ">") { i += 1 }
        attributes.append((attribute, valueStart..<i))
      }
    }
    return nil
  }

  /// The content of an element as HTML text.
  static func serialized(_ nodes: [XMLNode]) -> String {
    var out = ""
    for node in nodes { serialize(node, nil, into: &out) }
    return out
  }

  private static func serialize(
    _ node: XMLNode, _ namespace: String?, into out: inout String
  ) {
    switch node {
    case .text(let text): out += escaped(text)
    case .element(let element):
      out += "<\(element.name.local)"
      // Only what browsers know inside HTML needs its namespace said.
      let own = element.name.namespace
      if own != namespace, let own, own.hasSuffix("/svg") || own.hasSuffix("/MathML") {
        out += " xmlns=\"\(escapedAttribute(own))\""
      }
      for attribute in element.attributes {
        out += " \(attribute.name.written)=\"\(escapedAttribute(attribute.value))\""
      }
      if element.children.isEmpty && void.contains(element.name.local.lowercased()) {
        out += " />"
        return
      }
      out += ">"
      for child in element.children { serialize(child, own, into: &out) }
      out += "</\(element.name.local)>"
    }
  }

  /// `text` with the characters that mean markup written as references.
  static func escaped(_ text: String) -> String {
    guard
      text.utf8.contains(where: {
        $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")
      })
    else { return text }
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  private static func escapedAttribute(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case "\"": out += "&quot;"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (9...13).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }

  private static let addresses = words("href src action cite background longdesc poster")
  private static let void = words(
    "area base br col embed hr img input link meta param source track wbr")
  private static let inline = words(
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span "
      + "strike strong sub sup tt u var wbr")
  // Known to browsers only, or without content; not what tells HTML from text.
  private static let old = words(
    "acronym applet area base basefont bgsound big blink col colgroup data datalist dialog dir "
      + "frame frameset hgroup keygen marquee math menu meter nobr noframes noscript optgroup output "
      + "param path progress rb rp rt rtc ruby slot template track xmp")
  private static let flags = words(
    "allowfullscreen async autofocus autoplay checked compact controls default defer disabled hidden "
      + "inert ismap itemscope loop multiple muted nomodule noshade novalidate nowrap open playsinline "
      + "readonly required reversed selected")
  private static let known = words(
    "a abbr acronym address article aside audio b bdi bdo big blockquote body br button caption "
      + "center cite code col dd del details dfn div dl dt em embed fieldset figcaption figure font "
      + "footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label legend "
      + "li link main map mark meta nav object ol option p param picture pre q s samp script "
      + "section select small source span strike strong style sub summary sup svg table tbody td "
      + "textarea tfoot th thead time title tr tt u ul var video wbr")
}
