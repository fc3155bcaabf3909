import Foundation

/// JSON as Foundation reads it: another opinion in tests of what this project reads.
public struct OtherJSON {
  /// What Foundation makes of the value; nil for null and for what is not there.
  public let value: Any?

  /// Parses a document.
  public init(_ bytes: [UInt8]) throws {
    self.init(
      value: try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
  }

  private init(value: Any?) { self.value = value is NSNull ? nil : value }

  /// The value at a path of keys and indexes, such as `weather.0.main`.
  public subscript(path: String) -> OtherJSON {
    var value = value
    for key in path.split(separator: ".") {
      if let object = value as? [String: Any] {
        value = object[String(key)]
      } else if let list = value as? [Any], let index = Int(key), list.indices.contains(index) {
        value = list[index]
      } else {
        return OtherJSON(value: nil)
      }
    }
    return OtherJSON(value: value)
  }

  /// The first of several paths at which there is something but null.
  public func first(_ paths: [String]) -> OtherJSON {
    paths.lazy.map { self[$0] }.first { $0.value != nil } ?? OtherJSON(value: nil)
  }

  /// The text, when it is one.
  public var text: String? { value as? String }
  /// The number, when it is one.
  public var number: Double? { (value as? NSNumber)?.doubleValue }
  /// The elements, when it is a list.
  public var list: [OtherJSON]? { (value as? [Any])?.map { OtherJSON(value: $0) } }
  /// The members, when it is an object.
  public var members: [String: OtherJSON]? {
    (value as? [String: Any])?.mapValues { OtherJSON(value: $0) }
  }
  /// Whether both are the same value, whatever the order of keys.
  public func isSame(as other: OtherJSON) -> Bool {
    switch (value, other.value) {
    case (nil, nil): true
    case (let a?, let b?): (a as? NSObject)?.isEqual(b as? NSObject) ?? false
    default: false
    }
  }
}
