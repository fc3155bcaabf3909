import AggregateCore
import AggregateJSON
import Testing

@testable import AggregateREST

struct RecordSelectionTests {
  private func warning(_ path: String, _ text: String) throws -> String? {
    let document = try JSONDocument(parsing: ByteBuffer(Array(text.utf8)))
    let selection = RecordSelection(path)
    #expect(selection.records(in: document.root).isEmpty)
    return selection.warning(for: document.root)
  }

  @Test(
    "A list without elements needs no warning, wherever on the way it is",
    arguments: [
      ("$.items[*]", #"{"items":[],"n":1}"#), ("$.items[*].id", #"{"items":[],"n":1}"#),
      ("$.items[*].a[*].id", #"{"items":[{"a":[]}],"n":1}"#),
      ("$.items[*].id", #"{"items":null,"n":1}"#), ("$.items[?@.x == 1]", #"{"items":[{"x":2}]}"#),
      ("$.items[*]", "{}"),
    ])
  func emptyLists(_ path: String, _ text: String) throws {
    #expect(try warning(path, text) == nil)
  }

  @Test(
    "A name that is not there is told",
    arguments: [
      ("$.itms[*]", #"{"items":[],"n":1}"#), ("$.itms[*].id", #"{"items":[],"n":1}"#),
      ("$.items[*].idd", #"{"items":[{"id":1}]}"#),
    ])
  func missingNames(_ path: String, _ text: String) throws {
    #expect(try warning(path, text)?.contains("match nothing") == true)
  }
}
