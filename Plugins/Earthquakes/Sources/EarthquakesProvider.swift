public import AggregateCore
public import AggregateJSON

/// Earthquakes of the USGS's catalogue (https://earthquake.usgs.gov/fdsnws/event/1/).
public struct EarthquakesProvider: JSONProvider {
  /// Name, options, columns, example and samples.
  public static let spec = ProviderSpec(
    "earthquakes", "Earthquakes measured by the USGS and its partners.",
    options: [
      OptionSpec("min_magnitude", .number, "Only these and stronger ones.", example: "4.5"),
      OptionSpec("start", time, "Since when; 30 days ago if not given.", example: "2024-01-01"),
      OptionSpec("end", time, "Until when; now if not given.", example: "2024-01-31T12:00:00Z"),
      OptionSpec("latitude", .number, "Middle of the area, degrees north.", example: "35.68"),
      OptionSpec("longitude", .number, "Middle of the area, degrees east.", example: "139.69"),
      OptionSpec("radius_km", .number, "How far the area reaches.", example: "300"),
      OptionSpec("box", .object(sides), "The area as a box, instead of a middle and a radius."),
      OptionSpec("limit", .int(0...Int.max), "At most this many.", example: "100"),
      OptionSpec("order", .choice(orders.keys.sorted()), default: "newest", "Which come first."),
      OptionSpec("page_size", .int(1...20_000), default: "2000", "How many a page has."),
      OptionSpec(
        "base_url", .text, default: "https://earthquake.usgs.gov/fdsnws/event/1",
        "A mirror, a proxy or a test server."),
    ],
    columns: fields.map(\.column),
    discussion: """
      Needs no key. The events are read page by page from the USGS's catalogue; with `end`, pages do not
      shift while new events come in.
      """,
    example: """
      earthquakes:
        provider: earthquakes
        min_magnitude: 5
        start: 2024-01-01
        end: 2024-02-01
      """,
    samples: [
      ProviderSpec.Sample(matching: ["/query?", "offset=1"]) { PackageResources.query_json }
    ])

  private static let fields = [
    JSONField("id", .text, required: true, "Name of the event in the catalogue."),
    JSONField("time", .instant, at: "properties.time", epoch: .milliseconds, "When it happened."),
    JSONField("magnitude", .number, at: "properties.mag", "Magnitude."),
    JSONField(
      "magnitude_type", .text, at: "properties.magType",
      "How the magnitude was found, such as mww."),
    JSONField("place", .text, at: "properties.place", "Where, in words."),
    JSONField("lat", .number, at: "geometry.coordinates.1", unit: "°", "Latitude."),
    JSONField("lon", .number, at: "geometry.coordinates.0", unit: "°", "Longitude."),
    JSONField("depth_km", .number, at: "geometry.coordinates.2", unit: "km", "Depth."),
    JSONField("url", .text, at: "properties.url", "Page of the event."),
    JSONField("felt", .int, at: "properties.felt", "How many people reported that they felt it."),
    JSONField(
      "tsunami", .bool, at: "properties.tsunami", "Whether a warning of tsunamis may exist."),
    JSONField("status", .text, at: "properties.status", "Automatic, reviewed or deleted."),
    JSONField(
      "type", .text, at: "properties.type",
      "What shook: earthquake, quarry blast, explosion and the like."),
  ]

  /// What the service calls the orders.
  private static let orders = [
    "newest": "time", "oldest": "time-asc", "strongest": "magnitude", "weakest": "magnitude-asc",
  ]
  private static let sides = ["south", "west", "north", "east"].map {
    OptionSpec($0, .number, required: true, "Its side in the \($0), in degrees.")
  }
  private static let time = Shape.parsed(kind: "a date or a time such as 2024-03-01T12:00:00Z") {
    CalendarDate(iso8601: $0) == nil && Instant(iso8601: $0) == nil
      ? Shape.Mistake("“\($0)” is no time", hint: "write 2024-03-01 or 2024-03-01T12:00:00Z") : nil
  }

  /// The whole query, page by page.
  public let source: JSONSource

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    Self.checkArea(options, &diagnostics)
    Self.checkTimes(options, &diagnostics)
    let box = options.options("box", specs: Self.sides)
    source = JSONSource(
      Self.fields, records: "features",
      parts: [
        JSONPart(
          options.address("base_url", path: "/query", &diagnostics),
          query: [
            "format": "geojson", "minmagnitude": options.text("min_magnitude"),
            "starttime": options.text("start"), "endtime": options.text("end"),
            "latitude": options.text("latitude"), "longitude": options.text("longitude"),
            "maxradiuskm": options.text("radius_km"), "minlatitude": box?.text("south"),
            "minlongitude": box?.text("west"), "maxlatitude": box?.text("north"),
            "maxlongitude": box?.text("east"),
            "orderby": options.text("order").flatMap { Self.orders[$0] },
          ])
      ],
      // The service counts from 1, and says how many it may give: a page with fewer is the last.
      paging: .offset(
        from: 1, of: options.int("page_size") ?? 2000, granted: "metadata.limit"),
      limit: options.int("limit") ?? .max)
  }

  private static func checkArea(_ options: Options, _ diagnostics: inout Diagnostics) {
    let given = ["latitude", "longitude", "radius_km"].filter { options.given($0) != nil }
    if let first = given.first, given.count < 3 || options.given("box") != nil {
      diagnostics.error(
        "bad-combination", "an area has either latitude, longitude and radius_km, or a box",
        at: options.location(first), hint: "given: \(given.joined(separator: ", "))")
    }
    for (name, range) in [
      ("latitude", -90...90.0), ("longitude", -180...180), ("radius_km", 0...20001.6),
    ] {
      check(name, options, range, &diagnostics)
    }
    guard let box = options.options("box", specs: sides) else { return }
    for (name, range) in [
      ("south", -90...90.0), ("north", -90...90), ("west", -360...360), ("east", -360...360),
    ] {
      check(name, box, range, &diagnostics)
    }
    func both(_ a: String, _ b: String) -> String {
      "\(box.text(a) ?? "") and \(box.text(b) ?? "")"
    }
    if let south = box.number("south"), let north = box.number("north"), south > north {
      diagnostics.error(
        "bad-combination", "the south of the box is above its north: \(both("south", "north"))",
        at: box.location("south"), hint: "exchange them")
    }
    if let west = box.number("west"), let east = box.number("east"), west > east {
      diagnostics.error(
        "bad-combination", "the west of the box is beyond its east: \(both("west", "east"))",
        at: box.location("west"),
        hint: "exchange them; across the date line add 360 to the east, as in west: 170, east: 190")
    }
  }

  private static func check(
    _ name: String, _ options: Options, _ range: ClosedRange<Double>,
    _ diagnostics: inout Diagnostics
  ) {
    guard let value = options.number(name), !range.contains(value) else { return }
    func shown(_ bound: Double) -> String { Int(exactly: bound).map(String.init) ?? "\(bound)" }
    diagnostics.error(
      "out-of-range",
      "“\(name)” is not from \(shown(range.lowerBound)) to \(shown(range.upperBound))",
      at: options.location(name))
  }

  private static func checkTimes(_ options: Options, _ diagnostics: inout Diagnostics) {
    func instant(_ name: String) -> Instant? {
      options.text(name).flatMap { text in
        CalendarDate(iso8601: text).map { Instant($0) } ?? Instant(iso8601: text)
      }
    }
    guard let start = instant("start"), let end = instant("end"), start > end else { return }
    diagnostics.error(
      "bad-combination", "“start” is after “end”", at: options.location("start"),
      hint: "“end” is \(options.text("end") ?? "")")
  }
}
