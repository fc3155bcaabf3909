import AggregateCore
import AggregateTestSupport

/// A service with numbered Pokémon `mon-1`, `mon-2` … whose list is cut into pages as asked.
struct PokemonService {
  var count = 7
  /// Whether a page has everything, whatever `limit` asks for.
  var ignoresLimit = false

  var answers: [RecordedClient.Answer] {
    var answers: [RecordedClient.Answer] = []
    for offset in 0...count {
      for limit in 1...count + 1 {
        answers.append(.to("/pokemon?limit=\(limit)&offset=\(offset)", giving: page(offset, limit)))
      }
      answers.append(.to("/pokemon?", "offset=\(offset)", giving: page(offset, 1000)))
    }
    for id in (1...count).reversed() {
      answers.append(.to("/pokemon/\(id)", giving: Self.document(id)))
      answers.append(.to("/pokemon/mon-\(id)", giving: Self.document(id)))
    }
    return answers
  }

  func client(scrambles: Bool = false) -> RecordedClient {
    RecordedClient(answers, scrambles: scrambles)
  }

  private func page(_ offset: Int, _ limit: Int) -> String {
    let end = ignoresLimit ? count : min(count, offset + limit)
    let entries = (offset..<max(offset, end)).map { index in
      #"{"name":"mon-\#(index + 1)","url":"/api/v2/pokemon/\#(index + 1)/","new":[1]}"#
    }
    let next = end < count ? #""http://h/pokemon?offset=\#(end)&limit=\#(limit)""# : "null"
    return
      #"{"count":\#(count),"next":\#(next),"previous":null,"results":[\#(entries.joined(separator: ","))]}"#
  }

  static func document(_ id: Int) -> String {
    #"""
    {"id":\#(id),"name":"mon-\#(id)","height":\#(id),"weight":\#(id * 3),"base_experience":null,
     "types":[{"slot":1,"type":{"name":"grass"}},{"slot":2,"type":{"name":"poison"}}],
     "abilities":[],"stats":[{"base_stat":\#(id + 40),"stat":{"name":"hp"}},
       {"base_stat":9,"stat":{"name":"something-new"}}],
     "sprites":{"front_default":null},"something_new":{"a":[{}]}}
    """#
  }
}
