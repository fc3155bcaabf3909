#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// From one unit of a quantity to another one: `°C` to `°F`, `m/s` to `km/h`.
///
/// Units are written as columns have them. Factors are exact by definition, but for `mmHg`, `inHg`.
public struct UnitConversion: Sendable, Hashable {
  /// The quantities: each unit with what one of it is in the first one, and where its zero lies.
  private static let quantities: [[String: (factor: Double, zero: Double)]] = [
    ["K": (1, 0), "°C": (1, 273.15), "°F": (5.0 / 9, 459.67 * 5 / 9)],
    [
      "m/s": (1, 0), "km/h": (1 / 3.6, 0), "mph": (0.44704, 0), "kn": (1852.0 / 3600, 0),
      "ft/s": (0.3048, 0),
    ],
    [
      "m": (1, 0), "mm": (0.001, 0), "cm": (0.01, 0), "km": (1000, 0), "in": (0.0254, 0),
      "ft": (0.3048, 0), "yd": (0.9144, 0), "mi": (1609.344, 0), "nmi": (1852, 0),
    ],
    [
      "Pa": (1, 0), "hPa": (100, 0), "kPa": (1000, 0), "mbar": (100, 0), "bar": (100_000, 0),
      "mmHg": (133.322387415, 0), "inHg": (3386.388640341, 0),
    ],
    [
      "kg": (1, 0), "g": (0.001, 0), "t": (1000, 0), "lb": (0.45359237, 0),
      "oz": (0.028349523125, 0),
    ],
    ["s": (1, 0), "ms": (0.001, 0), "min": (60, 0), "h": (3600, 0), "d": (86_400, 0)],
  ]

  private let factor: Double
  private let offset: Double

  /// Finds how to convert; nil when these are not units of one quantity.
  public init?(from unit: String, to other: String) {
    for quantity in Self.quantities {
      guard let from = quantity[unit], let to = quantity[other] else { continue }
      factor = from.factor / to.factor
      offset = (from.zero - to.zero) / to.factor
      return
    }
    return nil
  }

  /// `value` in the other unit, rounded to ten digits of the larger one of what is added up: nothing is
  /// measured to more, and 32 °F are 0 °C.
  public func callAsFunction(_ value: Double) -> Double {
    let converted = value * factor + offset
    let largest = max(abs(value * factor), abs(offset))
    guard converted.isFinite, converted != 0 else { return converted }
    let scale = pow(10, 9 - log10(largest).rounded(.down))
    guard scale.isFinite, scale > 0 else { return converted }
    return (converted * scale).rounded() / scale
  }

  /// The numbers of a column in the other unit, all else in it as it is; one that is not finite is null.
  func column(_ column: Column, _ spec: ColumnSpec) -> Column {
    var rows = BatchBuilder(schema: Schema([spec]))
    for row in 0..<column.count {
      let value = column.value(at: row)
      switch value {
      case .int(let number): rows.append(.double(self(Double(number))))
      case .double(let number): rows.append(.double(self(number)))
      case .number(let text):
        // What is beyond all measure is no measure.
        let number = Double(text).map { self($0) }
        rows.append(number.flatMap { $0.isFinite ? .double($0) : nil } ?? .null)
      default: rows.append(value)
      }
      rows.endRow()
    }
    return rows.finish().columns[0]
  }
}
