import AggregateCore
import Foundation
import Synchronization

/// Answers requests from the files of a `serve` folder.
final class GoldenServer: Sendable {
  private static let types = [
    "json": "application/json", "ndjson": "application/x-ndjson", "csv": "text/csv",
    "tsv": "text/tab-separated-values", "xml": "application/xml", "html": "text/html",
    "txt": "text/plain", "rss": "application/rss+xml", "atom": "application/atom+xml",
  ]

  private let server: FixtureServer
  private let holder: Holder

  /// - Throws: An error when no port can be had.
  init(_ folder: URL) throws {
    let counts = Mutex<[String: Int]>([:])
    let marks = Holder()
    server = try FixtureServer.start { request in
      let number = counts.withLock { counts in
        counts[request.target, default: 0] += 1
        return counts[request.target] ?? 1
      }
      return Self.response(request, number, folder, marks.value.withLock { $0 })
    }
    holder = marks
  }

  private final class Holder: Sendable {
    let value = Mutex<[(mark: String, text: String)]>([])
  }

  /// Marks in bodies and header fields, and what they stand for.
  var replacements: [(mark: String, text: String)] {
    get { holder.value.withLock { $0 } }
    set { holder.value.withLock { $0 = newValue } }
  }

  /// `http://127.0.0.1:PORT`.
  var baseURL: String { server.baseURL }

  /// `127.0.0.1:PORT`.
  var host: String { "127.0.0.1:\(server.port)" }

  /// What was asked: method and target, one per line, in order of arrival.
  var log: String { server.requests.map { "\($0.method) \($0.target)\n" }.joined() }

  private static func response(
    _ request: FixtureServer.Request, _ number: Int, _ folder: URL,
    _ marks: [(mark: String, text: String)]
  ) -> FixtureServer.Response {
    guard let file = file(request, number, folder), let data = try? Data(contentsOf: file) else {
      return FixtureServer.Response(404, Array("not found\n".utf8))
    }
    func substituted(_ text: String) -> String {
      marks.reduce(text) { $0.replacingOccurrences(of: $1.mark, with: $1.text) }
    }
    var response = FixtureServer.Response()
    let body = String(data: data, encoding: .utf8).map { Data(substituted($0).utf8) } ?? data
    response.body = Array(body)
    let head = (try? String(contentsOf: file.appendingPathExtension("head"), encoding: .utf8)) ?? ""
    var hasType = false
    for line in head.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let value = words.count > 1 ? substituted(words[1]) : ""
      switch words[0] {
      case "status": response.status = Int(value) ?? 500
      case "cut": response.cutAfter = Int(value)
      case "close":
        response.cutAfter = Int(value)
        response.resets = false
      case "chunked": response.chunkSize = Int(value)
      case "require":
        let field = field(value)
        if request.header(field.name) != field.value {
          return FixtureServer.Response(
            401, Array("{\"message\":\"bad credentials\"}".utf8),
            headers: [HTTPField("Content-Type", "application/json")])
        }
      case "header":
        let field = field(value)
        hasType = hasType || field.name.lowercased() == "content-type"
        response.headers.append(field)
      default: return FixtureServer.Response(500, Array("unknown: \(line)\n".utf8))
      }
    }
    if !hasType, let type = types[file.pathExtension] {
      response.headers.insert(HTTPField("Content-Type", type), at: 0)
    }
    return response
  }

  private static func field(_ text: String) -> HTTPField {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    return HTTPField(
      parts[0], parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
  }

  /// The file that answers: with the query before without, the numbered one before the plain one.
  private static func file(
    _ request: FixtureServer.Request, _ number: Int, _ folder: URL
  ) -> URL? {
    for target in [request.target, request.path] {
      var name = String(target.drop { $0 == "/" })
      if name.isEmpty || name.hasPrefix("?") { name = "index" + name }
      if name.contains("..") { return nil }
      for variant in ["\(name)#\(number)", name] {
        for type in [""] + types.keys.sorted().map({ "." + $0 }) {
          let file = URL(filePath: folder.path + "/" + variant + type)
          var isFolder: ObjCBool = false
          if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
            !isFolder.boolValue
          {
            return file
          }
        }
      }
    }
    return nil
  }
}
