internal import AggregateCore

/// One JSON document.
enum JSONFormat {
  static let spec = FormatSpec(
    "json", "One JSON array of objects; read: one document, or the elements of its array.",
    extensions: ["json"], isFlat: false, reading: .stream(JSONOpening.open),
    writing: .encoder { options in
      if options.style.isTerminal { return PrettyJSONEncoder() }
      return NDJSONEncoder(.array)
    })
}
