/// Names of states and provinces by their postal codes, where people write the codes.
enum Regions {
  /// The name of the region with this code; nil when none is known.
  static func name(of code: String, in country: String?) -> String? {
    switch country {
    case "US": unitedStates[code.uppercased()]
    case "CA": canada[code.uppercased()]
    default: nil
    }
  }

  /// The code of the region with this code or name; nil when none is known.
  static func code(of text: String, in country: String?) -> String? {
    let table = country == "US" ? unitedStates : country == "CA" ? canada : [:]
    if table[text.uppercased()] != nil { return text.uppercased() }
    return table.first { $0.value.lowercased() == text.lowercased() }?.key
  }

  /// The country whose region this is, where it is written without the country, as in “Austin, TX”.
  static func country(of text: String) -> String? {
    ["US", "CA"].first { code(of: text, in: $0) != nil }
  }

  private static let unitedStates = table(
    """
    AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,
    DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,
    KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,
    MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,
    NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,
    OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,
    TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming
    """)

  private static let canada = table(
    """
    AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,
    NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,
    SK Saskatchewan,YT Yukon
    """)

  private static func table(_ text: String) -> [String: String] {
    var names: [String: String] = [:]
    for entry in text.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
      names[String(entry.prefix(2))] = String(entry.dropFirst(3))
    }
    return names
  }
}
