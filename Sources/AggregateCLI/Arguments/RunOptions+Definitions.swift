extension RunOptions {
  /// The options, for parsing and for help.
  static let definitions: [OptionDefinition] = inputs + shaping + outputs + requests + behaviour

  static let inputs: [OptionDefinition] = [
    .init("config", "c", .required("FILE"), "sources.yaml to use", group: "Input"),
    .init("source", "s", .required("NAME"), "a source or pipeline; repeatable", group: "Input"),
    .init(
      "param", "p", .required("KEY=VALUE"), "sets an option of the sources, or a parameter",
      group: "Input"),
    .init(
      "shard", nil, .required("FILE"), "runs the parts that shards wrote; - is stdin",
      group: "Input"),
    .init("sample", nil, .none, "bundled samples: no network, no key", group: "Input"),
    .init("input-format", "i", .required("NAME"), "format of stdin and files", group: "Input"),
    .init(
      "encoding", nil, .required("NAME"),
      "of stdin and files: utf-8 utf-16 utf-16le utf-16be latin-1",
      group: "Input"),
    .init(
      "records", nil, .required("JSONPATH"), "which values of stdin and files are the records",
      group: "Input"),
    .init("ragged", nil, .none, "CSV rows may be short (null) or long (_extra)", group: "Input"),
  ]
  static let shaping: [OptionDefinition] = [
    .init(
      "where", nil, .required("EXPR"), "keep rows where EXPR is true",
      group: "Stages, in the order written"),
    .init(
      "select", nil, .required("COLS"), "these columns, in this order; NEW=PATH renames",
      group: "Stages, in the order written"),
    .init(
      "drop", nil, .required("COLS"), "all columns but these", group: "Stages, in the order written"
    ),
    .init(
      "rename", nil, .required("A=B"), "column A becomes B", group: "Stages, in the order written"),
    .init(
      "set", nil, .required("NAME=EXPR"), "a computed column", group: "Stages, in the order written"
    ),
    .init(
      "sort", nil, .required("KEYS"), "sort by columns; a leading - sorts descending",
      group: "Stages, in the order written"),
    .init(
      "limit", nil, .required("N"), "the first N rows; stops requests",
      group: "Stages, in the order written"),
    .init(
      "distinct", nil, .optional("COLS"), "each row once, or each value of COLS",
      group: "Stages, in the order written"),
    .init(
      "stage", nil, .required("YAML"), "any stage, as in sources.yaml",
      group: "Stages, in the order written"),
  ]
  static let outputs: [OptionDefinition] = [
    .init(
      "format", "f", .required("NAME"), "csv tsv json ndjson table markdown vertical yaml …",
      group: "Output"),
    .init(
      "output", "o", .required("PATH"),
      "a file, format by extension; sqlite:FILE?table=T or postgres://…?table=T; - is stdout",
      group: "Output"),
    .init("null", nil, .required("TEXT"), "CSV: what null is written as", group: "Output"),
    .init("list-separator", nil, .required("S"), "flat formats: joins lists", group: "Output"),
    .init("delimiter", nil, .required("C"), "CSV: the delimiter", group: "Output"),
    .init("no-header", nil, .none, "CSV: no header", group: "Output"),
    .init("bom", nil, .none, "CSV: a byte order mark first", group: "Output"),
    .init("crlf", nil, .none, "CSV: lines end in CR LF", group: "Output"),
    .init(
      "csv-safe", nil, .none, "CSV: cells that a spreadsheet would run are quoted with '",
      group: "Output"),
    .init("provenance", nil, .none, "adds _source, _url, _fetched_at", group: "Output"),
  ]
  static let requests: [OptionDefinition] = [
    .init(
      "jobs", "j", .required("N"),
      "concurrent requests (default 8); the output does not depend on it", group: "Requests"),
    .init("timeout", nil, .required("DURATION"), "longest time for one request", group: "Requests"),
    .init("max-pages", nil, .required("N"), "most pages of one partition", group: "Requests"),
    .init(
      "record", nil, .required("FILE.har"), "records every exchange, secrets redacted",
      group: "Requests"),
    .init(
      "replay", nil, .required("FILE.har"), "answers from a recording: no network",
      group: "Requests"),
    .init("offline", nil, .none, "only what the cache has", group: "Requests"),
    .init("refresh", nil, .none, "asks anew for what the cache has", group: "Requests"),
    .init("no-cache", nil, .none, "neither reads nor writes the cache", group: "Requests"),
  ]
  static let behaviour: [OptionDefinition] = [
    .init("on-error", nil, .required("POLICY"), "fail, skip, stale or partial", group: "Behaviour"),
    .init("strict", nil, .none, "losses and warnings are errors", group: "Behaviour"),
    .init(
      "max-memory", nil, .required("SIZE"), "memory for stages that keep rows, before they spill",
      group: "Behaviour"),
    .init("report", nil, .required("json[:FILE]"), "the run report as JSON", group: "Behaviour"),
    .init(
      "errors", nil, .required("json"), "diagnostics and errors as JSON lines", group: "Behaviour"),
    .init("quiet", "q", .none, "errors only", group: "Behaviour"),
    .init("verbose", "v", .none, "one line per request and page", group: "Behaviour"),
    .init("color", nil, .required("WHEN"), "auto, always or never", group: "Behaviour"),
    .init("help", "h", .none, "shows this help", group: "Behaviour"),
  ]
}
