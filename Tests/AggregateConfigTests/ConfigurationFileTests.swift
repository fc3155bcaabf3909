import AggregateCore
import Foundation
import Testing

@testable import AggregateConfig

@Suite struct ConfigurationFileTests {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("config-\(UUID().uuidString)").path

  func write(_ path: String) throws {
    let full = "\(folder)/\(path)"
    try FileManager.default.createDirectory(
      atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data("version: 1\n".utf8).write(to: URL(fileURLWithPath: full))
  }

  @Test func placesAreLookedAtInOrder() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("home/.config/aggregate/sources.yaml")
    var environment = ["HOME": "\(folder)/home"]
    func find(_ given: String? = nil) throws -> String {
      try ConfigurationFile.find(given: given, environment: environment, directory: folder)
    }
    #expect(try find() == "\(folder)/home/.config/aggregate/sources.yaml")
    try write("xdg/aggregate/sources.yaml")
    environment["XDG_CONFIG_HOME"] = "\(folder)/xdg"
    #expect(try find() == "\(folder)/xdg/aggregate/sources.yaml")
    environment["AGGREGATE_CONFIG"] = "/some/where.yaml"
    #expect(try find() == "/some/where.yaml")
    try write("sources.yaml")
    #expect(try find() == "\(folder)/sources.yaml")
    #expect(try find("given.yaml") == "given.yaml")
  }

  @Test func noneIsAnErrorThatSaysWhereItLooked() throws {
    let error = #expect(throws: AggregateError.self) {
      _ = try ConfigurationFile.find(
        given: nil, environment: ["HOME": "/nowhere"], directory: folder)
    }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("sources.yaml") == true)
    #expect(error?.message.contains("/nowhere/.config/aggregate/sources.yaml") == true)
  }
}
