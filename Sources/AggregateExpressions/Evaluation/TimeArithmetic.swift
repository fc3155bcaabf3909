import AggregateCore

/// Kernels of intervals and differences of times.
enum TimeArithmetic {
  static func intervalSum(_ isMinus: Bool) -> Kernel {
    { arguments, frame in
      let a = frame.intervals(arguments[0])
      let b = frame.intervals(arguments[1])
      return .intervals(
        Rows.vector(frame.count, Interval()) { row in
          guard let x = a[row], let y = b[row] else { return nil }
          return Interval.sum(x, isMinus ? y.negated : y)
        })
    }
  }

  static let scaled: Kernel = { arguments, frame in
    let intervals = frame.intervals(arguments[0])
    let factors = frame.ints(arguments[1])
    return .intervals(
      Rows.vector(frame.count, Interval()) { row in
        guard let x = intervals[row], let factor = factors[row] else { return nil }
        if let value = x.scaled(factor) { return value }
        frame.lost("interval out of range") { "\(x.description) * \(factor)" }
        return nil
      })
  }

  static func interval(_ unit: String) -> Kernel {
    { arguments, frame in
      let amounts = frame.doubles(arguments[0])
      return .intervals(
        Rows.vector(frame.count, Interval()) { row in
          guard let amount = amounts[row] else { return nil }
          if let value = Interval(amount, unit: unit) { return value }
          frame.lost("interval out of range") { NumberText.shortest(amount) }
          return nil
        })
    }
  }

  static let days: Kernel = { arguments, frame in
    let a = frame.dates(arguments[0])
    let b = frame.dates(arguments[1])
    return Rows.ints(frame.count) { row in
      guard let x = a[row], let y = b[row] else { return nil }
      return Int64(x.days) - Int64(y.days)
    }
  }

  static let difference: Kernel = { arguments, frame in
    let a = frame.instants(arguments[0])
    let b = frame.instants(arguments[1])
    return .intervals(
      Rows.vector(frame.count, Interval()) { row in
        guard let x = a[row], let y = b[row] else { return nil }
        let (micros, overflow) = x.microseconds.subtractingReportingOverflow(y.microseconds)
        if overflow { return nil }
        // Whole days apart from the rest, as DuckDB prints them.
        return Interval(days: micros / 86_400_000_000, micros: micros % 86_400_000_000)
      })
  }
}
