public import AggregateCore

/// Writes one self-contained page: a table that can be searched and sorted. It loads nothing.
public final class HTMLWriter: Writer {
  static let spec = FormatSpec(
    "html", "One self-contained page with a table that can be searched and sorted.",
    extensions: ["html", "htm"], isFlat: true, writing: .writer { HTMLWriter(title: $0.title) })

  private let title: String
  private var names: [String] = []
  private var numeric = NumericColumns(Schema([]))
  private var waiting: [Batch] = []
  private var isOpen = false

  /// Creates a writer of a page with this title.
  public init(title: String) { self.title = title }

  /// Appends the head of the page; the table waits for the first rows, which tell where numbers are.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    names = schema.names
    numeric = NumericColumns(schema)
    out.append(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <title>\(Self.escaped(title))</title>
      <style>\(Self.styles)</style>
      </head>
      <body>
      <header><h1>\(Self.escaped(title))</h1>\
      <input id="search" type="search" placeholder="Search" aria-label="Search">\
      <output id="count"></output></header>

      """)
  }

  /// Appends the rows of `batch`.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    if batch.rowCount == 0 { return }
    if isOpen { return rows(of: batch, into: &out) }
    numeric.learn(batch)
    waiting.append(batch)
    if numeric.isComplete { openTable(into: &out) }
  }

  private func rows(of batch: Batch, into out: inout ByteBuilder) {
    for row in 0..<batch.rowCount {
      out.append("<tr>")
      for column in batch.columns {
        let value = column.value(at: row)
        let mark =
          value.isNull ? " class=\"null\"" : column.kind(at: row).isNumber ? " class=\"n\"" : ""
        out.append("<td\(mark)>\(Self.escaped(value.displayText))</td>")
      }
      out.append("</tr>\n")
    }
  }

  /// Appends the end of the page.
  public func finish(into out: inout ByteBuilder) throws {
    if !isOpen { openTable(into: &out) }
    out.append("</tbody>\n</table>\n<script>\(Self.script)</script>\n</body>\n</html>\n")
  }

  private func openTable(into out: inout ByteBuilder) {
    isOpen = true
    out.append("<table>\n<thead><tr>")
    for (name, isNumeric) in zip(names, numeric.flags) {
      out.append(
        "<th\(isNumeric ? " class=\"n\"" : "") tabindex=\"0\">\(Self.escaped(name))</th>")
    }
    out.append("</tr></thead>\n<tbody>\n")
    for batch in waiting { rows(of: batch, into: &out) }
    waiting = []
  }

  /// Text that stands for itself in HTML.
  static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      case "\u{0}": out += "\u{FFFD}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  private static let styles = """
    :root{color-scheme:light dark}
    body{font:14px/1.45 system-ui,sans-serif;margin:0}
    header{display:flex;gap:1em;align-items:baseline;padding:.8em 1em;flex-wrap:wrap}
    h1{font-size:1.2em;margin:0}
    input{font:inherit;padding:.25em .5em;min-width:16em}
    output{opacity:.7}
    table{border-collapse:collapse;margin:0 1em 2em}
    th,td{padding:.3em .7em;border-bottom:1px solid #8884;text-align:left;vertical-align:top;\
    white-space:pre-wrap;max-width:40em;overflow-wrap:anywhere}
    th{position:sticky;top:0;background:Canvas;cursor:pointer;white-space:nowrap;user-select:none}
    th[data-order="1"]::after{content:" ▲"}
    th[data-order="-1"]::after{content:" ▼"}
    .n{text-align:right;font-variant-numeric:tabular-nums}
    tbody tr:hover{background:#8882}
    """

  private static let script = """
    (() => {
      const body = document.querySelector("tbody"), rows = [...body.rows];
      const count = document.getElementById("count"), search = document.getElementById("search");
      const heads = [...document.querySelectorAll("th")];
      const show = n => { count.value = n === rows.length ? n + " rows" : n + " of " + rows.length + " rows"; };
      show(rows.length);
      search.addEventListener("input", () => {
        const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
        let n = 0;
        for (const row of rows) {
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every(word => text.includes(word));
          if (!row.hidden) n++;
        }
        show(n);
      });
      const sort = (head, index) => {
        const order = head.dataset.order === "1" ? -1 : 1;
        heads.forEach(other => delete other.dataset.order);
        head.dataset.order = order;
        const key = row => {
          const cell = row.cells[index];
          if (cell.className === "null") return null;
          return cell.className === "n" ? Number(cell.textContent) : cell.textContent;
        };
        const keyed = rows.map((row, place) => [key(row), place, row]);
        keyed.sort(([a, i], [b, j]) => {
          if (a === null || b === null) return a === b ? i - j : a === null ? 1 : -1;
          const c = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
          return c * order || i - j;
        });
        body.append(...keyed.map(entry => entry[2]));
      };
      heads.forEach((head, index) => {
        head.addEventListener("click", () => sort(head, index));
        head.addEventListener("keydown", event => { if (event.key === "Enter") sort(head, index); });
      });
    })();
    """
}
