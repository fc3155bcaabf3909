import AggregateCore
import AggregateFeeds
import Foundation
import Testing

#if os(Linux)
  struct StartTests {
    /// The libraries that an executable names for the loader to load at its start.
    func needed(_ path: String) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["readelf", "-d", path]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data, as: UTF8.self)
    }

    @Test func theProgramIsNotLinkedAgainstTheXMLLibrary() throws {
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
