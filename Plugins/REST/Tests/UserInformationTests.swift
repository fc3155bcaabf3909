import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct UserInformationTests {
  @Test(arguments: [
    "http://ann:c4n4ry@api.test/x", "https://ann@api.test", "http://ann:c4@n4ry@api.test:80?q",
  ])
  func userAndPasswordOfAnAddressAreRefused(_ url: String) throws {
    var diagnostics = Diagnostics()
    _ = try provider("{\"url\":\"\(url)\"}", &diagnostics)
    let found = try #require(diagnostics.all.first)
    #expect(found.code == "user-information")
    #expect(found.location != nil)
    #expect(found.hint?.contains("auth: { basic:") == true)
    #expect(!found.message.contains("n4ry"))
  }

  @Test(arguments: ["http://api.test/@ann", "http://api.test?mail=a@b.c", "http://api.test/a:b@c"])
  func otherSignsAreNoUserInformation(_ url: String) throws {
    var diagnostics = Diagnostics()
    _ = try provider("{\"url\":\"\(url)\"}", &diagnostics)
    #expect(diagnostics.all.isEmpty)
  }
}
