/// Dates with the month as a word, or with slashes, in any of the usual orders.
enum WordDate {
  /// The instant of a text such as `Thu, 01 Jan 2004 19:48:21 GMT`.
  static func parse(_ text: String) -> Instant? {
    var state = WordDate.State()
    var text = text
    if let (plain, offset) = numbered(text) {
      text = plain
      state.parts.offset = offset
    }
    for token in tokens(text) where !state.take(token) { return nil }
    return state.instant
  }

  /// `2004년 05월 28일 오후 1시 31분` and `2004年5月28日` with slashes and colons, and the offset: Korea's
  /// for the Korean words, else none.
  private static func numbered(_ text: String) -> (String, Int)? {
    let isKorean = text.contains("년")
    guard isKorean || text.contains("年") else { return nil }
    var out = ""
    for character in text {
      switch character {
      case "년", "年", "월", "月":
        while out.last == " " { out.removeLast() }
        out.append("/")
      case "일", "日", "초", "秒": out.append(" ")
      case "시", "時", "时", "분", "分": out.append(":")
      case " " where out.last == "/" || out.last == ":": break
      default: out.append(character)
      }
    }
    while out.last == ":" || out.last == " " { out.removeLast() }
    return (out.replacing(": ", with: " "), isKorean ? 9 * 3600 : 0)
  }

  /// Words, numbers, times and offsets; commas and comments in parentheses are left out.
  private static func tokens(_ text: String) -> [Substring] {
    var plain = ""
    var depth = 0
    for character in text {
      switch character {
      case "(": depth += 1
      case ")": depth = max(0, depth - 1)
      case ",", ";": if depth == 0 { plain += " " }
      default: if depth == 0 { plain.append(character) }
      }
    }
    return plain.split(separator: " ").flatMap(splittingTime)
  }

  /// `13T9:15` as `13` and `9:15`.
  private static func splittingTime(_ token: Substring) -> [Substring] {
    guard token.contains(":"), let mark = token.firstIndex(of: "T"), mark > token.startIndex,
      token[token.index(before: mark)].isNumber
    else { return [token] }
    return [token[..<mark], token[token.index(after: mark)...]]
  }

  private struct State {
    var parts = DateParts()
    var year: Int?
    var month: Int?
    var day: Int?
    var hasTime = false
    var isAfternoon: Bool?
    var hasZone = false
    var words = 0
    // Whether the month is a word.
    var isNamed = false
    // Whether the month may be the day of the week instead: `mar` is Tuesday as well as March, and
    // `сер` is Wednesday as well as August.
    var isDoubtful = false

    var instant: Instant? {
      guard let year, let month, let day else { return nil }
      var parts = parts
      (parts.year, parts.month, parts.day) = (year, month, day)
      // The 31st of June is the day after its last, as mail programs have it.
      if isNamed, (29...31).contains(day), CalendarDate(year: year, month: month, day: day) == nil,
        let last = (28..<day).last(where: { CalendarDate(year: year, month: month, day: $0) != nil }
        )
      {
        (parts.month, parts.day) = (month + 1, day - last)
      }
      if let isAfternoon {
        guard (1...12).contains(parts.hour) else { return nil }
        parts.hour = parts.hour % 12 + (isAfternoon ? 12 : 0)
      }
      return parts.instant
    }

    /// Takes what a token says; false when it says nothing that belongs in a date.
    mutating func take(_ token: Substring) -> Bool {
      if ["-", "–", "—", "|", "@"].contains(token) { return !hasTime }
      if token.contains(":") { return takeTime(token) }
      if let first = token.utf8.first, NumberText.isDigit(first) { return takeNumber(token) }
      if hasTime && (token.hasPrefix("+") || token.hasPrefix("-")) {
        hasZone = true
        return parts.readOffset(token)
      }
      return takeWord(token)
    }

    private mutating func takeTime(_ token: Substring) -> Bool {
      if hasTime && (token.hasPrefix("+") || token.hasPrefix("-")) {
        hasZone = true
        return parts.readOffset(token)
      }
      if hasTime, let sign = token.firstIndex(where: { $0 == "+" || $0 == "-" }) {
        // `GMT-01:01`
        guard ZoneNames.offset(of: String(token[..<sign])) == 0 else { return false }
        return parts.readOffset(token[sign...])
      }
      guard !hasTime else { return false }
      hasTime = true
      let clock = token.prefix { $0.isNumber || $0 == ":" || $0 == "." }
      guard parts.readTime(clock) else { return false }
      let rest = token[clock.endIndex...]
      return rest.isEmpty || take(rest)
    }

    private mutating func takeNumber(_ token: Substring) -> Bool {
      if !hasTime, let clock = clock(token) {
        hasTime = true
        return parts.readTime(clock)
      }
      for separator in ["/", "-", "."] as [Character] {
        let pieces = token.split(separator: separator, omittingEmptySubsequences: false)
        if pieces.count == 3 { return takeTriple(pieces) }
      }
      // `1st`, `2nd`, `5.`
      let digits = token.prefix { $0.isNumber }
      let ending = token[digits.endIndex...].lowercased()
      guard ["", "st", "nd", "rd", "th", "."].contains(ending), let value = Int(digits) else {
        if digits.count <= 2, let hour = Int(digits), ["am", "pm"].contains(ending), !hasTime {
          hasTime = true
          parts.hour = hour
          isAfternoon = ending == "pm"
          return true
        }
        return false
      }
      if digits.utf8.count <= 2 && day == nil {
        day = value
      } else if year == nil && digits.utf8.count == 4 {
        year = value
      } else if year == nil && digits.utf8.count == 2 {
        year = DateParts.century(value)
      } else {
        return false
      }
      return true
    }

    /// `10h30`, `10h`, and behind a whole date `10.00` and `10.00.00`, with colons.
    private func clock(_ token: Substring) -> Substring? {
      if year != nil, month != nil, day != nil {
        let clock = DateParts.withColons(token)
        if clock.contains(":") { return clock }
      }
      let pieces = token.split(
        maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "h" || $0 == "H" })
      guard pieces.count == 2, [1, 2].contains(pieces[0].utf8.count),
        pieces[0].utf8.allSatisfy(NumberText.isDigit), [0, 2].contains(pieces[1].utf8.count),
        pieces[1].utf8.allSatisfy(NumberText.isDigit)
      else { return nil }
      return "\(pieces[0]):\(pieces[1].isEmpty ? "00" : pieces[1])"[...]
    }

    /// `2006/09/15`, `15-Sep-2006`, `15.09.2006`, and month first or day first where it is certain.
    private mutating func takeTriple(_ pieces: [Substring]) -> Bool {
      guard year == nil, day == nil, let last = Int(pieces[2]) else { return false }
      if let named = MonthNames.month(of: String(pieces[1])), let first = Int(pieces[0]) {
        isNamed = true
        if pieces[0].count == 4 {
          (year, month, day) = (first, named, last)
        } else {
          (day, month, year) = (first, named, pieces[2].count == 2 ? DateParts.century(last) : last)
        }
        return true
      }
      guard let first = Int(pieces[0]), let second = Int(pieces[1]) else { return false }
      if pieces[0].count == 4 {
        (year, month, day) = (first, second, last)
        return true
      }
      let isGerman =
        pieces[0].endIndex < pieces[1].startIndex
        && pieces[0].base[pieces[0].endIndex] == "."
      if isGerman || first > 12 {
        (day, month) = (first, second)
      } else if second > 12 || first == second {
        (month, day) = (first, second)
      } else {
        return false
      }
      year = pieces[2].count == 2 ? DateParts.century(last) : last
      return pieces[2].count == 2 || pieces[2].count == 4
    }

    private mutating func takeWord(_ token: Substring) -> Bool {
      let word = token.lowercased()
      if month == nil || isDoubtful, let found = MonthNames.month(of: word) {
        isDoubtful =
          month == nil && day == nil && words == 0 && ["mar", "mar.", "сер"].contains(word)
        month = found
        isNamed = true
        return true
      }
      switch word {
      case "am", "a.m.", "pm", "p.m.":
        isAfternoon = word.hasPrefix("p")
        return hasTime
      case "오전", "오후", "午前", "午後":
        isAfternoon = word == "오후" || word == "午後"
        parts.offset = 9 * 3600
        return true
      case "上午", "下午":
        isAfternoon = word == "下午"
        return true
      case "at", "of", "de", "um", "à", "del", "den", "kl", "kl.", "klo", "om", "o", "alle", "ore",
        "às", "as", "a", "las", "в", "о", "r.", "r", "roku", "г.", "г", "года", "р.", "року", "g.":
        if !hasTime { return day != nil || month != nil }
      default: break
      }
      if hasTime {
        // `+0000 GMT` says it twice; anything else behind a zone is no date.
        if hasZone { return ZoneNames.offset(of: word) == 0 }
        hasZone = true
        if let sign = word.firstIndex(where: { $0 == "+" || $0 == "-" }),
          ZoneNames.offset(of: String(word[..<sign])) == 0
        {
          return parts.readOffset(word[sign...])
        }
        // RFC 2822: a zone that nobody knows is UTC.
        if parts.readZone(token) { return true }
        parts.offset = ZoneNames.offset(of: word) ?? 0
        return word.utf8.count <= 5 || ZoneNames.offset(of: word) != nil
      }
      // The day of the week, in whatever language, comes first.
      words += 1
      return words == 1 && day == nil && month == nil
    }
  }
}
