public import AggregateCore

/// The keys that every source may have, whatever its provider: the one description of them.
public enum CommonOptions {
  /// All of them; those of ``SourceOptions``.
  public static let specs = specs(nil)

  /// All of them; expressions in them are checked with `language`.
  static func specs(_ language: (any ExpressionLanguage)?) -> [OptionSpec] {
    [
      OptionSpec(
        "provider", .text, required: true, "The provider that reads the source.", example: "rest"),
      OptionSpec("description", .text, "What the source is, for people and for `aggregate list`."),
      OptionSpec(
        "params",
        .map(of: .either([.text, .object(ComputedParams.specs(language))]), keys: "name"),
        "Values for templates (`{name}`); `-p NAME=VALUE` sets them for a run; `expr` computes one.",
        example: "{ city: London, day: { expr: today() - 1 } }"),
      OptionSpec(
        "stages", .list(of: .any, orSingle: false),
        "Transforms of the rows, in order; each is one of `aggregate list stages`.",
        example: "[{ filter: temp > 20 }]"),
      OptionSpec(
        "expect", .object(expectation), "What must hold for the rows of the source.",
        example: "{ min_rows: 1, not_null: [id] }"),
      OptionSpec(
        "on_error", .choice(ErrorPolicy.allCases.map(\.rawValue)), default: "fail",
        "What happens when the source fails."),
      OptionSpec(
        "timeout", .either([.duration, .object(timeout)]), default: "60s",
        "The longest time for a request, or for its phases.", example: "30s"),
      OptionSpec(
        "retry", .object(retry), "How often and how long a failed request is tried again.",
        example: "{ attempts: 5, max_wait: 60s }"),
      OptionSpec(
        "rate_limit", .rate, "The most requests in any window of that time.", example: "60/min"),
      OptionSpec(
        "quota", .rate, "The most requests in that time, counted over all runs.",
        example: "100/day"),
      OptionSpec(
        "concurrency", .int(1...1000), "The most requests of the source at the same time."),
      OptionSpec(
        "cache", .either([.choice(["off"]), .object(cache)]),
        "`off`, or for how long answers are kept beyond what HTTP says.",
        example: "{ ttl: 1h, stale_if_error: 1d }"),
      OptionSpec("max_pages", .int(1...Int.max), "The most pages that are read of one partition."),
      OptionSpec(
        "max_body", .size, default: "50MB", "The largest answer, decompressed.", example: "50MB"),
      OptionSpec(
        "tls", .object(tls), "Who is trusted over TLS, and who asks.",
        example: "{ ca: company-ca.pem }"),
      OptionSpec(
        "proxy", proxy,
        "The proxy of the source, or `none`; without it, what `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` say.",
        example: "http://proxy.example.com:3128"),
      OptionSpec(
        "schema", .object(schema),
        "How the columns are found when none are declared.", example: "{ sample: 1000 }"),
      OptionSpec(
        "incremental", .object(incremental), "Asks only for what is new since the last run.",
        example: "{ cursor: opened, query: since, lag: 1h }"),
      OptionSpec(
        "provenance", .bool, default: "false",
        "Adds the columns `_source`, `_url` and `_fetched_at`."),
      OptionSpec(
        "allow_hosts", .list(of: .text, orSingle: true),
        "Other hosts to which a next page may lead.", example: "[files.example.com]"),
    ]
  }

  /// The keys of `expect`.
  static let expectation = [
    OptionSpec("min_rows", .int(0...Int.max), "The fewest rows."),
    OptionSpec("max_rows", .int(0...Int.max), "The most rows."),
    OptionSpec(
      "not_null", .list(of: .text, orSingle: true), "Columns that have a value in every row."),
    OptionSpec(
      "unique", .list(of: .text, orSingle: true),
      "Columns that together differ from row to row."),
    OptionSpec(
      "rules", .list(of: .text, orSingle: true), "Expressions that are true for every row."),
  ]

  static let timeout = [
    OptionSpec("connect", .duration, default: "10s", "To establish a connection."),
    OptionSpec("total", .duration, default: "60s", "For the whole request."),
    OptionSpec("stall", .duration, default: "30s", "Without a byte."),
  ]

  static let retry = [
    OptionSpec(
      "attempts", .int(1...100), default: "4", "How often a request is tried, the first included."),
    OptionSpec("max_wait", .duration, default: "60s", "The longest wait between two tries."),
    OptionSpec(
      "statuses", .list(of: .int(100...599), orSingle: true),
      default: nil, "The statuses after which it is tried again.",
      example: "[408, 425, 429, 500, 502, 503, 504]"),
    OptionSpec(
      "breaker", .int(0...1_000_000), default: "5",
      "After how many failed requests in a row the host is left alone for 30 s; 0 for never."),
  ]

  static let cache = [
    OptionSpec("ttl", .duration, "For how long an answer is used without asking."),
    OptionSpec(
      "stale_if_error", .duration,
      "How long after its time an answer may stand in for a failed one, unless it must be revalidated."
    ),
  ]

  static let tls = [
    OptionSpec(
      "ca", .text,
      "A file of certificates to trust in place of the system's, in PEM; for all sources the variables `CURL_CA_BUNDLE` and `SSL_CERT_FILE` name one."
    ),
    OptionSpec(
      "certificate", .text,
      "A file with the certificate that the client shows: PEM, or PKCS #12 when it ends in `.p12` or `.pfx`."
    ),
    OptionSpec("key", .text, "A file with its key, when that is not in the same file."),
    OptionSpec("passphrase", .text, secret: true, "What the key is encrypted with."),
  ]

  private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// A check of its own: the message must not show the user information.
  static let proxy = Shape.parsed(kind: "the address of a proxy, or none") { text in
    if text == "none" { return nil }
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, proxySchemes.contains(parts[0].lowercased()),
      WebURL("http://\(parts[1])") != nil
    {
      return nil
    }
    return Shape.Mistake(
      "this is not the address of a proxy",
      hint: "it is a scheme, a host and a port, such as http://proxy.example.com:3128; schemes: "
        + proxySchemes.joined(separator: ", "))
  }

  static let schema = [
    OptionSpec(
      "sample", .int(1...1_000_000),
      "From how many records the columns are found; without it, from the first page, or the first 100."
    ),
    OptionSpec(
      "on_new_column", .choice(NewColumnPolicy.allCases.map(\.rawValue)), default: "error",
      "What happens to a field that the sample did not have."),
  ]

  static let incremental = [
    OptionSpec("cursor", .text, required: true, "The column whose largest value is remembered."),
    OptionSpec("query", .text, "The query parameter that takes it.", example: "since"),
    OptionSpec("start", .text, "The value for the first run."),
    OptionSpec(
      "format", .text, default: "iso",
      "How an instant is written: `iso`, `epoch_s`, `epoch_ms`, or a pattern such as `%Y-%m-%d`."),
    OptionSpec("lag", .duration, "How far back a run begins before the remembered value."),
    OptionSpec(
      "key", .list(of: .text, orSingle: true),
      "Columns that tell a row from another, so that none is given twice."),
    OptionSpec("step", .duration, "Splits the time since then into requests of this length."),
    OptionSpec("until_query", .text, "The query parameter that takes the end of a step."),
  ]
}
