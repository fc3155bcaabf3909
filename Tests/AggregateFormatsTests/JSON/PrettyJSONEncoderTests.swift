import AggregateCore
import AggregateFormats
import Testing

@Suite struct PrettyJSONEncoderTests {
  private let terminal = OutputOptions(style: TerminalStyle(isTerminal: true))

  @Test func membersAndElementsStandOnTheirOwnLines() async throws {
    let reading = await Fixture.read(
      "{\"a\":1.10,\"o\":{ \"x\" :[],\"y\":{ },\"z\":[1,{\"t\":\"{,}\"}]}}\n{\"a\":null}\n")
    #expect(
      try Fixture.write(reading.schema, reading.batches, as: "json", terminal) == """
        [
          {
            "a": 1.10,
            "o": {
              "x": [],
              "y": {},
              "z": [
                1,
                {
                  "t": "{,}"
                }
              ]
            }
          },
          {
            "a": null
          }
        ]

        """)
  }

  @Test func noRowsAreAnEmptyArray() throws {
    #expect(try Fixture.write(["a"], [], as: "json", terminal) == "[]\n")
  }

  @Test func filesAndPipesStayCompact() throws {
    #expect(try Fixture.write(["a"], [[.int(1)]], as: "json") == "[\n{\"a\":1}\n]\n")
  }
}
