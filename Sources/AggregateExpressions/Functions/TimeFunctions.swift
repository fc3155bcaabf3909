import AggregateCore

/// Functions of times and dates. Naive times are UTC.
enum TimeFunctions {
  private static let group = "time"

  static let all: [FunctionSpec] =
    [
      part("year", [], .year, "The year.", "2024"),
      part("month", [], .month, "The month, 1 to 12.", "2"),
      part("day", ["dayofmonth"], .day, "The day of the month.", "29"),
      part("hour", [], .hour, "The hour, 0 to 23.", "12"),
      part("minute", [], .minute, "The minute.", "34"),
      part("second", [], .second, "The whole seconds of the minute.", "56"),
      part("millisecond", [], .millisecond, "The milliseconds of the minute.", "56000"),
      part("microsecond", [], .microsecond, "The microseconds of the minute.", "56000000"),
      part("quarter", [], .quarter, "The quarter of the year, 1 to 4.", "1"),
      part("week", ["weekofyear"], .week, "The ISO week of the year.", "9"),
      part("isoyear", [], .isoyear, "The year that the ISO week belongs to.", "2024"),
      part("dayofweek", ["weekday"], .dow, "The day of the week, Sunday being 0.", "4"),
      part("isodow", [], .isodow, "The day of the week, Monday being 1 and Sunday 7.", "4"),
      part("dayofyear", [], .doy, "The day of the year.", "60"),
      name("dayname", "The English name of the day.", "Thursday") {
        TimeNames.days[$0.date.weekday]
      },
      name("monthname", "The English name of the month.", "February") {
        TimeNames.months[$0.date.components.month - 1]
      },
    ] + specials

  private static let moment = "timestamp '2024-02-29T12:34:56'"

  private static func part(
    _ name: String, _ aliases: [String], _ part: TimePart, _ summary: String, _ result: String
  ) -> FunctionSpec {
    FunctionSpec(
      name, aliases, [.time()], .int, summary, "\(name)(\(moment))", result, group: group
    ) { arguments, frame in
      let times = frame.instants(arguments[0])
      return Rows.ints(frame.count) { row in times[row].map(part.value) }
    }
  }

  private static func name(
    _ name: String, _ summary: String, _ result: String,
    _ body: @escaping @Sendable (Instant) -> String
  ) -> FunctionSpec {
    FunctionSpec(name, [], [.time()], .text, summary, "\(name)(\(moment))", result, group: group) {
      arguments, frame in
      let times = frame.instants(arguments[0])
      return Rows.texts(frame.count) { row, out in
        guard let time = times[row] else { return false }
        out.append(body(time))
        return true
      }
    }
  }

  private static func constantPart(
    _ call: FunctionSpec.Call, _ index: Int
  ) throws(ArgumentMistake) -> TimePart {
    guard let text = call.text(index) else {
      throw ArgumentMistake(index, "the part of a time must be a constant text")
    }
    guard let part = TimePart.named(text) else {
      throw ArgumentMistake(
        index, "there is no part “\(text)” of a time",
        hint: Suggestions.hint(for: text, in: TimePart.allCases.map(\.rawValue)))
    }
    return part
  }

  private static let specials: [FunctionSpec] = [
    FunctionSpec(
      "date_part", ["datepart"], [.text("part"), .any("time")],
      type: { call in
        call.text(0).flatMap(TimePart.named) == .epoch ? .double : .int
      },
      "A part of a time; also written extract(part from time).", "date_part('month', \(moment))",
      "2", group: group,
      make: { (call) throws(ArgumentMistake) in
        let part = try constantPart(call, 0)
        if call.types[1] == .interval {
          return { arguments, frame in
            let intervals = frame.intervals(arguments[1])
            if part == .epoch {
              return Rows.doubles(frame.count) { row in
                intervals[row].map { $0.approximateMicros / 1e6 }
              }
            }
            return Rows.ints(frame.count) { row in intervals[row].map(part.value) }
          }
        }
        if part == .epoch { return { epochs($0[1], $1) } }
        return { arguments, frame in
          let times = frame.instants(arguments[1])
          return Rows.ints(frame.count) { row in times[row].map(part.value) }
        }
      }),
    FunctionSpec(
      "date_trunc", ["datetrunc"], [.text("part"), .time()], type: { _ in .instant },
      "The beginning of the year, month, week, day … of a time.",
      "date_trunc('month', \(moment))", "2024-02-01T00:00:00Z", group: group,
      make: { (call) throws(ArgumentMistake) in
        let part = try constantPart(call, 0)
        return { arguments, frame in
          let times = frame.instants(arguments[1])
          return Rows.instants(frame.count) { row in times[row].flatMap(part.beginning) }
        }
      }),
    FunctionSpec(
      "date_diff", ["datediff"], [.text("part"), .time("from"), .time("to")],
      type: { _ in .int }, "How many boundaries of a part lie between two times.",
      "date_diff('day', date '2024-02-28', date '2024-03-01')", "2", group: group,
      make: { (call) throws(ArgumentMistake) in
        let part = try constantPart(call, 0)
        return { arguments, frame in
          let from = frame.instants(arguments[1])
          let to = frame.instants(arguments[2])
          return Rows.ints(frame.count) { row in
            guard let a = from[row], let b = to[row] else { return nil }
            return part.index(b) - part.index(a)
          }
        }
      }),
    FunctionSpec(
      "date_add", [], [.time(), .any("interval")], .instant, "A time moved on by an interval.",
      "date_add(date '2024-01-31', interval 1 month)", "2024-02-29T00:00:00Z", group: group,
      Arithmetic.moved(negated: false)),
    FunctionSpec(
      "last_day", [], [.time()], .date, "The last day of the month.",
      "last_day(date '2024-02-10')", "2024-02-29", group: group
    ) { arguments, frame in
      let times = frame.instants(arguments[0])
      return Rows.dates(frame.count) { row in
        guard let (year, month, _) = times[row]?.date.components else { return nil }
        return CalendarDate(
          year: year, month: month, day: CalendarDate.days(inMonth: month, year: year))
      }
    },
    FunctionSpec(
      "epoch", [], [.any("time")], .double, "Seconds since 1970, or the seconds of an interval.",
      "epoch(timestamp '1970-01-01T00:01:00')", "60.0", group: group
    ) { epochs($0[0], $1) },
    FunctionSpec(
      "epoch_ms", [], [.any("time")],
      type: { $0.types[0].isNumeric ? .instant : .int },
      "Milliseconds since 1970 of a time, or the time of so many milliseconds.",
      "epoch_ms(timestamp '1970-01-01T00:00:01')", "1000", group: group,
      make: { call in
        if call.types[0].isNumeric {
          return { arguments, frame in
            let numbers = frame.doubles(arguments[0])
            return Rows.instants(frame.count) { row in
              numbers[row].flatMap { instant(micros: $0 * 1000) }
            }
          }
        }
        return { arguments, frame in
          let times = frame.instants(arguments[0])
          return Rows.ints(frame.count) { row in
            times[row].map { Int64((Double($0.microseconds) / 1000).rounded(.down)) }
          }
        }
      }),
    FunctionSpec(
      "to_timestamp", [], [.number("seconds")], .instant,
      "The time of so many seconds since 1970.", "to_timestamp(60)", "1970-01-01T00:01:00Z",
      group: group
    ) { arguments, frame in
      let numbers = frame.doubles(arguments[0])
      return Rows.instants(frame.count) { row in
        guard let seconds = numbers[row] else { return nil }
        if let value = instant(micros: seconds * 1e6) { return value }
        frame.lost("time out of range") { NumberText.shortest(seconds) }
        return nil
      }
    },
    FunctionSpec(
      "make_date", [], [.int("year"), .int("month"), .int("day")], .date,
      "The date with this year, month and day.", "make_date(2024, 2, 29)", "2024-02-29",
      group: group
    ) { arguments, frame in
      let parts = arguments.map { frame.ints($0) }
      return Rows.dates(frame.count) { row in
        guard let year = parts[0][row], let month = parts[1][row], let day = parts[2][row]
        else { return nil }
        if let date = CalendarDate(
          year: Int(clamping: year), month: Int(clamping: month), day: Int(clamping: day))
        {
          return date
        }
        frame.lost("not a date") { "\(year)-\(month)-\(day)" }
        return nil
      }
    },
    FunctionSpec(
      "strftime", [], [.time(), .text("pattern")], type: { _ in .text },
      "A time as a pattern such as %d.%m.%Y says.", "strftime(date '2024-03-05', '%d.%m.%Y')",
      "05.03.2024", group: group,
      make: { (call) throws(ArgumentMistake) in
        let constant = try pattern(call)
        return { arguments, frame in
          let times = frame.instants(arguments[0])
          let patterns = frame.texts(arguments[1])
          return Rows.texts(frame.count) { row, out in
            guard let time = times[row], let text = patterns.string(row) else { return false }
            guard let pattern = constant ?? TimePattern(text) else {
              frame.lost("not a time pattern") { text }
              return false
            }
            pattern.append(time, to: &out)
            return true
          }
        }
      }),
    parsing("strptime", isTry: false), parsing("try_strptime", isTry: true),
    FunctionSpec(
      "timezone", [], [.text("zone"), .time()], .instant,
      "What the clock of a zone shows at a time.",
      "timezone('Europe/Paris', timestamp '2024-07-01T10:00:00')", "2024-07-01T12:00:00Z",
      group: group
    ) { arguments, frame in
      let zones = frame.texts(arguments[0])
      let times = frame.instants(arguments[1])
      return Rows.instants(frame.count) { row in
        guard let name = zones.string(row), let time = times[row] else { return nil }
        if let zone = TimeZoneRules.named(name) { return zone.local(time) }
        frame.lost("not a time zone") { name }
        return nil
      }
    },
    FunctionSpec(
      "now", ["current_timestamp"], [], .instant, "The time at which the run began.",
      "now() > timestamp '2024-01-01'", "true", group: group
    ) { _, _ in .constant(.instant(.now)) },
    FunctionSpec(
      "today", ["current_date"], [], .date, "The date, in UTC, at which the run began.",
      "today() > date '2024-01-01'", "true", group: group
    ) { _, _ in .constant(.date(Instant.now.date)) },
  ]

  private static func pattern(_ call: FunctionSpec.Call) throws(ArgumentMistake) -> TimePattern? {
    guard let text = call.text(1) else { return nil }
    guard let pattern = TimePattern(text) else {
      throw ArgumentMistake(
        1, "'\(text)' is not a time pattern", hint: "for example: '%Y-%m-%d %H:%M:%S'")
    }
    return pattern
  }

  private static func parsing(_ name: String, isTry: Bool) -> FunctionSpec {
    FunctionSpec(
      name, [], [.text(), .text("pattern")], type: { _ in .instant },
      isTry
        ? "The time that a text names by a pattern; null when it does not fit."
        : "The time that a text names by a pattern, which must fit the whole text.",
      "\(name)('05.03.2024', '%d.%m.%Y')", "2024-03-05T00:00:00Z", group: group,
      make: { (call) throws(ArgumentMistake) in
        let constant = try pattern(call)
        return { arguments, frame in
          let text = frame.texts(arguments[0])
          let patterns = frame.texts(arguments[1])
          return Rows.instants(frame.count) { row in
            guard let value = text[row], let written = patterns.string(row) else { return nil }
            if let pattern = constant ?? TimePattern(written),
              let instant = pattern.parse(value)?.instant(zone: .utc)
            {
              return instant
            }
            if !isTry {
              frame.lost("does not fit the pattern \(written)") {
                String(decoding: value, as: UTF8.self)
              }
            }
            return nil
          }
        }
      })
  }

  private static func epochs(_ operand: Operand, _ frame: Frame) -> Operand {
    if case .intervals(let vector) = operand {
      return Rows.doubles(frame.count) { row in vector[row].map { $0.approximateMicros / 1e6 } }
    }
    if case .constant(.interval(let value)) = operand {
      return .constant(.double(value.approximateMicros / 1e6))
    }
    let times = frame.instants(operand)
    return Rows.doubles(frame.count) { row in
      times[row].map { Double($0.microseconds) / 1e6 }
    }
  }

  private static func instant(micros: Double) -> Instant? {
    let rounded = micros.rounded()
    return rounded.magnitude < 9.2e18 ? Instant(microseconds: Int64(rounded)) : nil
  }
}
