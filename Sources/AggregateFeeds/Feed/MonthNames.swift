/// Names of months in the languages that feeds are known to use.
enum MonthNames {
  /// The month, 1 to 12, that a name or an abbreviation of at least three letters means.
  static func month(of name: String) -> Int? {
    var word = name.lowercased()
    while word.hasSuffix(".") { word.removeLast() }
    if let exact = other[word] { return exact }
    guard word.count >= 3 else { return nil }
    for (index, month) in english.enumerated() where month.hasPrefix(word) { return index + 1 }
    return word == "sept" ? 9 : nil
  }

  private static let english = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  private static let other: [String: Int] = {
    let lists = [
      // Greek, with and without accents as feeds write them.
      "ιαν φεβ μαρ απρ μαι ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
      "ιαν φεβ μάρ απρ μάι ιούν ιούλ αύγ σεπτ οκτ νοέ δεκ",
      "ιαν φεβ μάώ απρ μαϊ ιον ιολ αυγ σεπ οκτ νοε δεκ",
      "ιαν φεβ μαώ απρ μάϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ",
      "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου "
        + "οκτωβρίου νοεμβρίου δεκεμβρίου",
      // Hungarian.
      "január február március április május június július augusztus szeptember október november "
        + "december",
      "január februári március április máujus június július augusztus szeptember október november "
        + "december",
      // German.
      "jan feb mär apr mai jun jul aug sep okt nov dez",
      "januar februar märz april mai juni juli august september oktober november dezember",
      "jänner feber mrz april mai juni juli august september oktober november dezember",
      // French.
      "janv févr mars avr mai juin juil août sept oct nov déc",
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      // Spanish.
      "ene feb mar abr may jun jul ago sep oct nov dic",
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      // Italian.
      "gen feb mar apr mag giu lug ago set ott nov dic",
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
        + "dicembre",
      // Portuguese.
      "jan fev mar abr mai jun jul ago set out nov dez",
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
      // Dutch.
      "jan feb mrt apr mei jun jul aug sep okt nov dec",
      "januari februari maart april mei juni juli augustus september oktober november december",
    ]
    var table: [String: Int] = [:]
    for list in lists {
      for (index, name) in list.split(separator: " ").enumerated() where table[String(name)] == nil
      {
        table[String(name)] = index + 1
      }
    }
    return table
  }()
}
