import Testing

@testable import AggregateCLI

@Suite struct ConsoleTests {
  @Test(arguments: [
    ("plain “text” – é 日本\n\tmore", "plain “text” – é 日本\n\tmore"),
    ("\u{1B}[31mred\u{7}", "\\u001b[31mred\\u0007"), ("a\rb", "a\\u000db"),
    ("\u{9B}2J\u{7F}", "\\u009b2J\\u007f"), ("user\u{202E}gpj.exe", "user\\u202egpj.exe"),
  ])
  func controlCharactersAreWrittenOut(_ text: String, _ shown: String) {
    #expect(Console.printable(text) == shown)
  }
}
