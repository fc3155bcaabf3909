import AggregateCore

/// For which days the weather is wanted.
enum Period: Sendable, Hashable {
  /// From today on, or so many days before it; how many days, or as many as the service gives.
  case ahead(days: Int?, past: Int)
  /// These dates of the past, both included.
  case past(ClosedRange<CalendarDate>)

  /// Reads the options `days`, `past_days`, `start` and `end`; mistakes go to the diagnostics.
  init(_ options: Options, _ mode: Mode, _ diagnostics: inout Diagnostics) {
    self = .ahead(days: options.int("days"), past: options.int("past_days") ?? 0)
    if options.given("past_days") != nil, mode == .current {
      diagnostics.error(
        "bad-combination", "“past_days” is for forecasts, and “mode: current” is none",
        at: options.location("past_days"), hint: "give mode: hourly or mode: daily")
    }
    guard let start = options.text("start").flatMap(CalendarDate.init(iso8601:)) else {
      if options.given("end") != nil, options.given("start") == nil {
        diagnostics.error(
          "missing-key", "“end” is given, but “start” is not", at: options.location("end"),
          hint: "give the first date too, as in start: 2024-03-01")
      }
      return
    }
    if mode != .hourly && mode != .daily {
      diagnostics.error(
        "bad-combination", "“start” is for the modes hourly and daily, not for \(mode.rawValue)",
        at: options.location("start"), hint: "give mode: hourly or mode: daily")
    }
    for name in ["days", "past_days"] where options.given(name) != nil {
      diagnostics.error(
        "bad-combination", "“\(name)” is for forecasts, “start” and “end” are for the past",
        at: options.location(name), hint: "leave one of them out")
    }
    let end = options.text("end").flatMap(CalendarDate.init(iso8601:)) ?? start
    guard start <= end else {
      diagnostics.error(
        "out-of-range", "“end” (\(end.iso8601)) is before “start” (\(start.iso8601))",
        at: options.location("end"), hint: "both dates are included")
      return
    }
    self = .past(start...end)
  }

  /// How many days of a forecast are wanted, those before today included; nil for all, and for the past.
  var days: Int? {
    guard case .ahead(let days?, let past) = self else { return nil }
    return days + past
  }

  /// How many days are wanted at most; nil for as many as the service gives.
  var dayCount: Int? {
    guard case .past(let dates) = self else { return days }
    return Int(dates.upperBound.days - dates.lowerBound.days) + 1
  }

  /// A date as an option's value.
  static let date = Shape.parsed(kind: "a date such as 2024-03-01") { text in
    CalendarDate(iso8601: text) == nil
      ? Shape.Mistake("“\(text)” is no date", hint: "write it as in 2024-03-01") : nil
  }
}
