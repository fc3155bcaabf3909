import AggregateCore

/// Countries by their codes and English names (ISO 3166-1 alpha-2, and what people write beside it).
enum Countries {
  /// The two letters that a text means: a code, or a name in any case; nil when it is no country.
  static func code(of text: String) -> String? {
    let upper = text.uppercased()
    return names[upper] != nil ? upper : codes[folded(text)]
  }

  /// The usual name of the country with this code.
  static func name(of code: String) -> String? { names[code]?.first }

  /// The name most like a text that is none.
  static func nearest(to text: String) -> String? {
    Suggestions.nearest(to: text, in: names.values.flatMap(\.self)).first
  }

  private static func folded(_ text: String) -> String {
    text.lowercased().filter { $0 != "." }
  }

  private static let codes: [String: String] = {
    var codes: [String: String] = [:]
    for (code, names) in names {
      for name in names { codes[folded(name)] = code }
    }
    return codes
  }()

  private static let names: [String: [String]] = {
    var names: [String: [String]] = [:]
    for entry in table.split(whereSeparator: { $0 == "," || $0 == "\n" }) {
      names[String(entry.prefix(2))] = entry.dropFirst(3).split(separator: "|").map(String.init)
    }
    return names
  }()

  private static let table = """
    AD Andorra,AE United Arab Emirates|UAE,AF Afghanistan,AG Antigua and Barbuda,AI Anguilla,
    AL Albania,AM Armenia,AO Angola,AQ Antarctica,AR Argentina,AS American Samoa,
    AT Austria|Österreich,AU Australia,AW Aruba,AX Åland Islands|Aland Islands,AZ Azerbaijan,
    BA Bosnia and Herzegovina|Bosnia,BB Barbados,BD Bangladesh,BE Belgium,BF Burkina Faso,
    BG Bulgaria,BH Bahrain,BI Burundi,BJ Benin,BL St Barthelemy|Saint Barthelemy,BM Bermuda,
    BN Brunei|Brunei Darussalam,BO Bolivia,BQ Caribbean NL|Bonaire,BR Brazil|Brasil,BS Bahamas,
    BT Bhutan,BV Bouvet Island,BW Botswana,BY Belarus,BZ Belize,CA Canada,CC Cocos Islands,
    CD Democratic Republic of the Congo|DR Congo|Congo-Kinshasa,CF Central African Republic,
    CG Republic of the Congo|Congo|Congo-Brazzaville,CH Switzerland|Schweiz|Suisse,
    CI Côte d'Ivoire|Ivory Coast,CK Cook Islands,CL Chile,CM Cameroon,CN China,CO Colombia,
    CR Costa Rica,CU Cuba,CV Cape Verde|Cabo Verde,CW Curaçao|Curacao,CX Christmas Island,
    CY Cyprus,CZ Czech Republic|Czechia,DE Germany|Deutschland,DJ Djibouti,DK Denmark,
    DM Dominica,DO Dominican Republic,DZ Algeria,EC Ecuador,EE Estonia,EG Egypt,
    EH Western Sahara,ER Eritrea,ES Spain|España,ET Ethiopia,FI Finland,FJ Fiji,
    FK Falkland Islands,FM Micronesia|Federated States of Micronesia,FO Faroe Islands,FR France,
    GA Gabon,GB United Kingdom|UK|Great Britain|Britain|England|Scotland|Wales|Northern Ireland,
    GD Grenada,GE Georgia,GF French Guiana,GG Guernsey,GH Ghana,GI Gibraltar,GL Greenland,
    GM Gambia,GN Guinea,GP Guadeloupe,GQ Equatorial Guinea,GR Greece|EL,
    GS South Georgia and the South Sandwich Islands|South Georgia,GT Guatemala,GU Guam,
    GW Guinea-Bissau,GY Guyana,HK Hong Kong,HM Heard Island and McDonald Islands,HN Honduras,
    HR Croatia,HT Haiti,HU Hungary,ID Indonesia,IE Ireland,IL Israel,IM Isle of Man,IN India,
    IO British Indian Ocean Territory,IQ Iraq,IR Iran|Islamic Republic of Iran,IS Iceland,
    IT Italy|Italia,JE Jersey,JM Jamaica,JO Jordan,JP Japan,KE Kenya,KG Kyrgyzstan,KH Cambodia,
    KI Kiribati,KM Comoros,KN Saint Kitts and Nevis|St Kitts and Nevis,KP North Korea,
    KR South Korea|Korea|Republic of Korea,KW Kuwait,KY Cayman Islands,KZ Kazakhstan,LA Laos|Lao,
    LB Lebanon,LC St Lucia,LI Liechtenstein,LK Sri Lanka,LR Liberia,LS Lesotho,LT Lithuania,
    LU Luxembourg,LV Latvia,LY Libya,MA Morocco,MC Monaco,MD Moldova,ME Montenegro,
    MF Saint Martin,MG Madagascar,MH Marshall Islands,MK North Macedonia|Macedonia,ML Mali,
    MM Myanmar|Burma,MN Mongolia,MO Macau|Macao,MP Northern Mariana Islands,MQ Martinique,
    MR Mauritania,MS Montserrat,MT Malta,MU Mauritius,MV Maldives,MW Malawi,MX Mexico,
    MY Malaysia,MZ Mozambique,NA Namibia,NC New Caledonia,NE Niger,NF Norfolk Island,NG Nigeria,
    NI Nicaragua,NL Netherlands|Holland|The Netherlands,NO Norway,NP Nepal,NR Nauru,NU Niue,
    NZ New Zealand,OM Oman,PA Panama,PE Peru,PF French Polynesia,PG Papua New Guinea,
    PH Philippines,PK Pakistan,PL Poland,PM Saint Pierre and Miquelon|St Pierre and Miquelon,
    PN Pitcairn,PR Puerto Rico,PS Palestine|Palestinian Territories,PT Portugal,PW Palau,
    PY Paraguay,QA Qatar,RE Réunion|Reunion,RO Romania,RS Serbia,RU Russia|Russian Federation,
    RW Rwanda,SA Saudi Arabia,SB Solomon Islands,SC Seychelles,SD Sudan,SE Sweden,SG Singapore,
    SH St Helena,SI Slovenia,SJ Svalbard and Jan Mayen|Svalbard,SK Slovakia,SL Sierra Leone,
    SM San Marino,SN Senegal,SO Somalia,SR Suriname,SS South Sudan,
    ST Sao Tome and Principe|São Tomé and Príncipe,SV El Salvador,SX Sint Maarten,
    SY Syria|Syrian Arab Republic,SZ Eswatini|Swaziland,TC Turks and Caicos Islands,TD Chad,
    TF French Southern Territories,TG Togo,TH Thailand,TJ Tajikistan,TK Tokelau,
    TL East Timor|Timor-Leste,TM Turkmenistan,TN Tunisia,TO Tonga,TR Turkey|Türkiye,
    TT Trinidad and Tobago|Trinidad,TV Tuvalu,TW Taiwan,TZ Tanzania,UA Ukraine,UG Uganda,
    UM US minor outlying islands,US United States|USA|United States of America|America,
    UY Uruguay,UZ Uzbekistan,VA Vatican City|Vatican,VC St Vincent,VE Venezuela,
    VG British Virgin Islands,VI US Virgin Islands,VN Vietnam|Viet Nam,VU Vanuatu,
    WF Wallis and Futuna,WS Samoa,XK Kosovo,YE Yemen,YT Mayotte,ZA South Africa,ZM Zambia,
    ZW Zimbabwe
    """
}
