import AggregateCore
import AggregateFeeds
import AggregateTestSupport
import Foundation
import Testing

#if os(Linux)
  struct StartTests {
    /// The libraries that an executable names for the loader to load at its start.
    func needed(_ path: String) throws -> String {
      String(decoding: try Program("readelf").output(["-d", path]), as: UTF8.self)
    }

    @Test(.programs("readelf")) func theProgramIsNotLinkedAgainstTheXMLLibrary() throws {
      let own = try #require(
        try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
          .split(separator: "\n").map(String.init)
          .first { $0.contains("PackageTests.xctest") || $0.contains("PackageTests") }?
          .split(separator: " ").last.map(String.init))
      let text = try needed(own)
      #expect(text.contains("NEEDED"))
      #expect(!text.contains("libxml2"))
      #expect(!text.contains("libicu"))
    }
  }
#endif
