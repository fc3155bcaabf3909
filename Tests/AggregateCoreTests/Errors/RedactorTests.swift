import AggregateCore
import Testing

@Suite struct RedactorTests {
  @Test func secretGoesInEveryFormItTakes() {
    let secret = "p@ss w/rd+\"1\""
    let redactor = Redactor()
    redactor.register(secret)
    let forms = [
      secret, WebURL.encoded(secret), WebURL.encoded(secret, keeping: "/"),
      Base64.encode(Array(secret.utf8)), EscapedText.quoted(secret),
    ]
    for form in forms {
      let shown = redactor.redact("a=\(form)&b")
      #expect(shown.contains(Redactor.mask))
      #expect(!shown.contains("ss"))
    }
    #expect(redactor.redact("q=p%40ss+w%2Frd%2B%221%22;") == "q=***;")
  }

  @Test func basicAuthenticationGoesAsAWhole() {
    let redactor = Redactor()
    redactor.registerBasic(user: "aladdin", password: "opensesame")
    #expect(redactor.redact("Basic YWxhZGRpbjpvcGVuc2VzYW1l") == "Basic ***")
    #expect(redactor.redact("opensesame aladdin") == "*** aladdin")
  }

  @Test func longestGoesFirst() {
    let redactor = Redactor()
    redactor.register("abcd")
    redactor.register("abcdefgh")
    #expect(redactor.redact("abcdefgh abcd") == "*** ***")
  }

  @Test func shortValuesAndOtherTextStay() {
    let redactor = Redactor()
    redactor.register("abc")
    redactor.register("")
    #expect(redactor.redact("abc é 😀\r\n") == "abc é 😀\r\n")
    redactor.register("wxyz")
    #expect(redactor.redact("wxy wxyzwxyz é") == "wxy ****** é")
  }

  @Test func linesOfALongSecretGoOneByOne() {
    let redactor = Redactor()
    redactor.register("-----BEGIN-----\nAAAABBBB\nCCCC")
    #expect(redactor.redact("line AAAABBBB of") == "line *** of")
  }
}
