public import AggregateCore

extension EarthquakesProvider {
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
    columns: columns,
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
    samples: [ProviderSpec.Sample(matching: ["/query?"]) { PackageResources.query_json }])

  static let columns = [
    ColumnSpec("id", .text, description: "Name of the event in the catalogue."),
    ColumnSpec("time", .instant, description: "When it happened."),
    ColumnSpec("magnitude", .number, description: "Magnitude."),
    ColumnSpec("magnitude_type", .text, description: "How the magnitude was found, such as mww."),
    ColumnSpec("place", .text, description: "Where, in words."),
    ColumnSpec("lat", .number, unit: "°", description: "Latitude."),
    ColumnSpec("lon", .number, unit: "°", description: "Longitude."),
    ColumnSpec("depth_km", .number, unit: "km", description: "Depth."),
    ColumnSpec("url", .text, description: "Page of the event."),
    ColumnSpec("felt", .int, description: "How many people reported that they felt it."),
    ColumnSpec("tsunami", .bool, description: "Whether a warning of tsunamis may exist."),
    ColumnSpec("status", .text, description: "Automatic, reviewed or deleted."),
    ColumnSpec(
      "type", .text, description: "What shook: earthquake, quarry blast, explosion and the like."),
  ]

  /// What the service calls the orders.
  static let orders = [
    "newest": "time", "oldest": "time-asc", "strongest": "magnitude", "weakest": "magnitude-asc",
  ]

  static let sides = ["south", "west", "north", "east"].map {
    OptionSpec($0, .number, required: true, "Its side in the \($0), in degrees.")
  }

  private static let time = Shape.parsed(kind: "a date or a time such as 2024-03-01T12:00:00Z") {
    CalendarDate(iso8601: $0) == nil && Instant(iso8601: $0) == nil
      ? Shape.Mistake("“\($0)” is no time", hint: "write 2024-03-01 or 2024-03-01T12:00:00Z") : nil
  }
}
