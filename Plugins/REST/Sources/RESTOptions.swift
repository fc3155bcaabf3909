internal import AggregateCore
internal import AggregateExpressions
internal import AggregateJSON

/// The options of the provider `rest`: shapes, defaults and words.
enum RESTOptions {
  static let specs: [OptionSpec] = [
    OptionSpec(
      "url", .template, required: true, "The address; `{name}` is replaced.",
      example: "https://api.example.com/items/{id}"),
    OptionSpec(
      "method", .choice(["GET", "POST", "PUT", "PATCH"]),
      "The method; POST when there is a body, else GET."),
    OptionSpec(
      "query", .map(of: .list(of: .template, orSingle: true), keys: "parameter"),
      "Query parameters; a list repeats one.", example: "{ state: all, tag: [a, b] }"),
    OptionSpec(
      "headers", .map(of: .template, keys: "name"), "Header fields.",
      example: "{ Accept-Language: en }"),
    OptionSpec(
      "body", .oneOf(body, with: []), "What is sent.", example: "{ json: { limit: 100 } }"),
    OptionSpec(
      "format", .choice(BodyFormat.allCases.map(\.rawValue)), default: "auto",
      "How answers are written; `auto` looks at the Content-Type and the first bytes."),
    OptionSpec(
      "records", .jsonPath,
      "Which values of an answer are the records; without it the document, or the elements of a list.",
      example: "$.items[*]"),
    OptionSpec(
      "columns", .map(of: .either([columnText, .object(column)]), keys: "column"),
      "A JSONPath relative to the record or a template for each column; without it, every field.",
      example: "{ id: $.id, when: { path: $.t, type: instant, format: epoch_s } }"),
    OptionSpec(
      "for_each", .map(of: .either([.text, forEachList, forEach]), keys: "name"),
      "Asks once for each value, which templates take by name; several: every combination.",
      example: "{ repo: [swiftlang/swift, swiftlang/swift-format] }"),
    OptionSpec(
      "errors", .list(of: .object(rule), orSingle: true),
      "What is done with answers that are no data; the first rule that matches decides.",
      example: "[{ status: [404], do: skip }]"),
    OptionSpec(
      "paginate", .oneOf(paginate, with: stop), "How the next page is asked for.",
      example: "{ cursor: { param: after, from: $.next } }"),
    OptionSpec(
      "auth", .oneOf(AuthenticationOptions.all, with: []), "How the requests are authenticated.",
      example: "{ bearer: \"${TOKEN}\" }"),
  ]

  static let body = [
    OptionSpec("json", .any, "JSON; texts in it are templates."),
    OptionSpec(
      "form", .map(of: .list(of: .template, orSingle: true), keys: "field"), "A form's fields."),
    OptionSpec("text", .template, "Text as it is; set its Content-Type under `headers`."),
    OptionSpec("graphql", .object(graphql), "A GraphQL request."),
  ]

  static let graphql = [
    OptionSpec("query", .text, required: true, "The query; it is no template."),
    OptionSpec("variables", .any, "Its variables; texts in them are templates."),
  ]

  static let columnText = Shape.parsed(kind: "a JSONPath or a template") { text in
    text.hasPrefix("$") ? JSONPath.mistake(in: text) : nil
  }

  static let expression = Shape.parsed(kind: "an expression") { Expression.mistake(in: $0) }

  static let column = [
    OptionSpec("path", .jsonPath, required: true, "Where the value is, relative to the record."),
    OptionSpec("type", .choice(ValueType.declarable), "The type that the values have."),
    OptionSpec(
      "format",
      .parsed(kind: "a way to write times") { text in
        InstantFormat(text) == nil
          ? Shape.Mistake(
            "“\(text)” is not a way to write times",
            hint: "valid: iso, epoch_s, epoch_ms, epoch_us, rfc822, or a pattern such as %d.%m.%Y")
          : nil
      }, "How times are written: `iso`, `epoch_s`, `epoch_ms`, `rfc822` or a pattern."),
    OptionSpec(
      "zone",
      .parsed(kind: "a time zone") { text in
        TimeZoneRules.exists(text)
          ? nil
          : Shape.Mistake(
            "there is no time zone “\(text)”", hint: "write it as UTC or Europe/Paris")
      }, "The zone of times that name none.", example: "Europe/Paris"),
    OptionSpec("default", .any, "The value of a record that has none."),
    OptionSpec("required", .bool, default: "false", "Whether a record without it is an error."),
    OptionSpec("unit", .text, "The unit of the values."),
    OptionSpec("description", .text, "What the values mean."),
  ]

  /// A value, or several names with a value each.
  static let forEachList = Shape.list(
    of: .either([.text, .map(of: .text, keys: "name")]), orSingle: false)

  static let forEach = Shape.oneOf(
    [
      OptionSpec(
        "list", .list(of: .either([.text, .map(of: .text, keys: "name")]), orSingle: true),
        "The values; one that is a mapping gives further names a value too.",
        example: "[{ id: 1, title: First }]"),
      OptionSpec("source", .text, "A source whose rows have the values."),
      OptionSpec("range", .object(range), "Whole numbers."),
      OptionSpec("file", .text, "A file with a value in each line."),
    ],
    with: [
      OptionSpec("column", .text, "The column of the source."),
      OptionSpec(
        "with", .either([.list(of: .text, orSingle: true), .map(of: .text, keys: "name")]),
        "Further columns of the same row, which templates take too; a mapping renames them.",
        example: "[title]"),
      OptionSpec("batch", .int(1...100_000), "How many values go into one request."),
      OptionSpec("join", .text, default: ",", "What stands between them."),
    ])

  static let range = [
    OptionSpec("from", .int(.min ... .max), required: true, "The first number."),
    OptionSpec("to", .int(.min ... .max), required: true, "The last number."),
    OptionSpec("step", .int(1...Int.max), default: "1", "From one to the next."),
  ]

  static let rule = [
    OptionSpec(
      "status",
      .list(
        of: .parsed(kind: "a status such as 404 or 4xx") { text in
          StatusRange(text) == nil
            ? Shape.Mistake("“\(text)” is not a status", hint: "write 404, or 4xx") : nil
        }, orSingle: true), "The statuses it is for."),
    OptionSpec(
      "body", expression, "An expression over the decoded body.", example: "code = 'none'"),
    OptionSpec(
      "do", .choice(ErrorRule.Action.allCases.map(\.rawValue)), required: true,
      "`skip` the partition, `retry`, `fail`, `stop` paging, or `refresh_auth`."),
    OptionSpec("message", .text, "What the user is told."),
  ]

  static let paginateLink = [
    OptionSpec("rel", .text, default: "next", "The relation of the link.")
  ]

  private static let place = Shape.choice(PagePlace.allCases.map(\.rawValue))

  static let paginate = [
    OptionSpec("page", .object(page), "Numbers the pages."),
    OptionSpec("offset", .object(offset), "Counts the records before the page."),
    OptionSpec("cursor", .object(cursor), "Sends back a token of the page before."),
    OptionSpec(
      "next_url",
      .object([
        OptionSpec("from", .jsonPath, required: true, "Where the address of the next page is.")
      ]), "Follows an address in the body."),
    OptionSpec(
      "link_header",
      .object(paginateLink),
      "Follows a Link header."),
  ]

  static let page = [
    OptionSpec("param", .text, required: true, "What the number is called."),
    OptionSpec("first", .int(.min ... .max), default: "1", "The first number."),
    OptionSpec("size_param", .text, "What the size of a page is called."),
    OptionSpec("size", .int(1...Int.max), "How many records a page has."),
    OptionSpec("total_pages", .jsonPath, "Where the number of pages is."),
    OptionSpec("in", place, default: "query", "Where the number goes."),
  ]

  static let offset = [
    OptionSpec("param", .text, required: true, "What the offset is called."),
    OptionSpec("first", .int(.min ... .max), default: "0", "The first offset."),
    OptionSpec("limit_param", .text, "What the size of a page is called."),
    OptionSpec("limit", .int(1...Int.max), "How many records a page has."),
    OptionSpec("total", .jsonPath, "Where the number of all records is."),
    OptionSpec(
      "step", .choice(["records", "limit"]), default: "records",
      "What is added to the offset: the `records` of the page, or always the `limit`."),
    OptionSpec("in", place, default: "query", "Where the offset goes."),
  ]

  static let cursor = [
    OptionSpec("param", .text, "What the token is called."),
    OptionSpec(
      "from",
      .parsed(kind: "a JSONPath, or header:NAME") { text in
        if text.hasPrefix("header:") {
          return text.count > 7
            ? nil : Shape.Mistake("the name of the header is missing", offset: 7)
        }
        return JSONPath.mistake(in: text)
      }, required: true, "Where the token is: a JSONPath, or `header:NAME`."),
    OptionSpec("in", place, default: "query", "Where the token goes."),
    OptionSpec("path", .jsonPath, "Where in the body the token goes, instead of `param`."),
  ]

  static let stop = [
    OptionSpec(
      "stop_when", expression, "An expression over the body and the numbers of paging.",
      example: "has_more = false"),
    OptionSpec(
      "stop_on", .choice(StopRule.allCases.map(\.rawValue)),
      "The page that is the last: an `empty` one, a `short` one, or `never`; without it, what the server says, else an `empty` one."
    ),
    OptionSpec("max_pages", .int(1...Int.max), "The most pages of one partition."),
  ]
}
