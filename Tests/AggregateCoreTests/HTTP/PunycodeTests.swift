import AggregateCore
import Testing

/// The examples of RFC 3492, section 7.1, and what is no label.
@Suite struct PunycodeTests {
  @Test(arguments: [
    ("ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
    ("Proprostnemluvesky-uyb24dma41a", "Pročprostěnemluvíčesky"),
    ("b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"),
    ("3B-ww4c5e180e575a65lsy2b", "3年B組金八先生"),
    ("bcher-kva", "bücher"), ("de-jg4avhby1noc0d", "パフィーdeルンバ"),
  ])
  func labelsAreDecoded(_ label: String, _ text: String) {
    #expect(Punycode.decoded(label[...]) == text)
  }

  @Test(arguments: ["é", "b*", "99999999", String(repeating: "a", count: 64)])
  func whatIsNoLabelIsNil(_ label: String) { #expect(Punycode.decoded(label[...]) == nil) }
}
