/// What paging changes of a request.
public enum RequestChange: Sendable, Hashable {
  /// A parameter of the address, which stands instead of one of the same name.
  case query(name: String, value: String)
  /// A header field.
  case header(name: String, value: String)
  /// A value in a JSON body or a form; `literal` when it is a number.
  case body(path: [String], value: String, literal: Bool)
}

/// How a page is asked for, beside what is the same for all pages of its part.
public enum PageAsk: Sendable, Hashable {
  /// By changing the request of the part.
  case changes([RequestChange])
  /// By an address that an answer names, relative to where that answer came from.
  case link(String, from: WebURL)
}

/// What says that a page which is asked for is not one of those before it.
public enum PageProgress: Sendable, Hashable {
  /// Its number only, which a server may ignore: pages are told apart by their rows.
  case number
  /// The server said how much there is, and not all of it came yet.
  case total
  /// A token or an address that was not asked for before.
  case token
  /// Nothing: the token or the address is that of the page before, as in a scroll.
  case sameToken
}

/// Where in a request a number or a token of paging goes.
public enum PagePlace: String, Sendable, CaseIterable {
  case query, body, header

  /// The change that puts `value` there.
  ///
  /// - Parameter literal: Whether it is a number in a JSON body.
  public func change(_ path: [String], _ value: String, literal: Bool) -> RequestChange {
    switch self {
    case .query: .query(name: path.joined(separator: "."), value: value)
    case .header: .header(name: path.joined(separator: "."), value: value)
    case .body: .body(path: path, value: value, literal: literal)
    }
  }
}
