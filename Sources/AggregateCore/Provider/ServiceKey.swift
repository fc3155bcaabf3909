/// The key that a service wants of whoever asks it.
public struct ServiceKey: Sendable {
  /// The key as given; nil when it is not given, or empty.
  public let value: String?
  private let option: String
  private let service: String
  private let page: String
  private let variable: String
  private let location: SourceLocation

  /// Reads the key from an option.
  ///
  /// - Parameters:
  ///   - service: How messages call the service.
  ///   - page: The address of the page where one gets a key.
  ///   - variable: An environment variable to keep it in, for the message.
  public init(
    _ option: String, of options: Options, service: String, page: String, variable: String
  ) {
    let text = options.text(option)
    value = text == "" ? nil : text
    self.option = option
    self.service = service
    self.page = page
    self.variable = variable
    location = options.location(option)
  }

  /// What is wrong when there is no key; nil when there is one.
  public var problem: AggregateError? {
    guard value == nil else { return nil }
    return AggregateError(
      .configuration, "\(service) needs a key, and “\(option)” is not set",
      hint: "get one at \(page), put it into the environment variable \(variable), and write "
        + "\(option): ${\(variable)}; --sample needs none",
      location: location)
  }

  /// Refuses a run without the key in which the service would be asked.
  ///
  /// - Throws: ``AggregateError`` with code `configuration`.
  public func require(_ context: ProviderContext) throws {
    if context.isLive, let problem { throw problem }
  }
}
