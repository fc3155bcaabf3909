public import AggregateCore

extension RESTProvider {
  /// Name, options, example and sample.
  public static let spec = ProviderSpec(
    "rest", "Any API that answers JSON, NDJSON, CSV, TSV, XML or a feed, declared in YAML.",
    options: RESTOptions.specs,
    discussion: """
      A source says what to ask (`url`, `query`, `headers`, `body`), how to go on (`paginate`, `for_each`), \
      where the records are (`records`) and what their columns are (`columns`).

      `{name}` in them is replaced by a value of `for_each` or `params`; `{{` and `}}` are braces. In the \
      path of an address values are percent-encoded except `/`, in its query fully.

      Without `columns`, the columns are the fields of the first page, or of the first 100 records \
      (`schema: { sample: … }`); a field that comes up later is an error (`schema: { on_new_column: … }`).

      Pages are compared: a server that gives the same page again and again ends the run with exit 4.
      """,
    example: """
      provider: rest
      url: https://api.github.com/repos/{repo}/issues
      for_each: { repo: [swiftlang/swift, swiftlang/swift-format] }
      query: { per_page: "100", state: all }
      auth: { bearer: "${GITHUB_TOKEN}" }
      paginate: { link_header: {} }
      records: $[*]
      columns:
        repo: "{repo}"
        number: $.number
        title: $.title
        opened: { path: $.created_at, type: instant }
      """)
}
