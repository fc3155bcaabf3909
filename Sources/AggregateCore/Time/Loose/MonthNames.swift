/// Names of months in the languages that feeds are known to use.
enum MonthNames {
  /// The month, 1 to 12, that a name or an abbreviation of at least three letters means.
  static func month(of name: String) -> Int? {
    var word = name.lowercased()
    while word.hasSuffix(".") { word.removeLast() }
    if let exact = other[word] { return exact }
    // Finnish, in the two cases that dates have.
    for ending in ["kuuta", "kuu", "k"] where word.hasSuffix(ending) {
      if let index = finnish.firstIndex(of: String(word.dropLast(ending.count))) {
        return index + 1
      }
    }
    guard word.count >= 3 else { return nil }
    for (index, month) in english.enumerated() where month.hasPrefix(word) {
      return index + 1
    }
    return word == "sept" ? 9 : nil
  }

  private static let english = TimeNames.months.map { $0.lowercased() }

  private static let finnish = [
    "tammi", "helmi", "maalis", "huhti", "touko", "kesä", "heinä", "elo", "syys", "loka", "marras",
    "joulu",
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
      // Swedish, Danish, Norwegian.
      "jan feb mars apr maj jun jul aug sept okt nov dec",
      "januari februari mars april maj juni juli augusti september oktober november december",
      "januar februar marts april maj juni juli august september oktober november december",
      "jan feb mars apr mai juni juli aug sep okt nov des",
      "januar februar mars april mai juni juli august september oktober november desember",
      // Polish.
      "sty lut mar kwi maj cze lip sie wrz paź lis gru",
      "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada "
        + "grudnia",
      "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad "
        + "grudzień",
      // Russian.
      "янв фев мар апр май июн июл авг сен окт ноя дек",
      "янв февр март апр мая июн июл авг сент окт нояб дек",
      "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
      "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
      // Ukrainian.
      "січ лют бер кві тра чер лип сер вер жов лис гру",
      "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
      // Bulgarian.
      "януари февруари март април май юни юли август септември октомври ноември декември",
      // Turkish, and its capitals in lower case without its rule for them.
      "oca şub mar nis may haz tem ağu eyl eki kas ara",
      "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
      "ocak subat mart nisan mayis haziran temmuz agustos eylul eki\u{307}m kasim aralik",
      // Czech and Slovak.
      "led úno bře dub kvě čvn čvc srp zář říj lis pro",
      "ledna února března dubna května června července srpna září října listopadu prosince",
      "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec",
      "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
      // Hungarian, shortened.
      "jan febr márc ápr máj jún júl aug szept okt nov dec",
      // Romanian and Catalan.
      "ian feb mar apr mai iun iul aug sep oct nov dec",
      "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie "
        + "decembrie",
      "gen febr març abr maig juny jul ag set oct nov des",
      "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
      // Indonesian.
      "jan feb mar apr mei jun jul agu sep okt nov des",
      "januari februari maret april mei juni juli agustus september oktober november desember",
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
