// Fovea - names of classes in metadata.
// SPDX-License-Identifier: Apache-2.0
import FoveaLowering
import Testing

@Suite struct ClassNamesTests {
  @Test(arguments: [
    (#"{0: 'cat, tabby', 1: "dog's"}"#, ["cat, tabby", "dog's"]),
    (#"{"0": "caf\u00e9", "1": "it's \"b\""}"#, ["caf\u{E9}", "it's \"b\""]),
    (#"{0: 'it\'s', 1: "a\\b\n", 2: "\ud83d\ude00"}"#, ["it's", "a\\b\n", "\u{1F600}"]),
    (#"{ "0":"x" ,"1" : "y" }"#, ["x", "y"]), (#"['a, b', "c"]"#, ["a, b", "c"]),
    ("[a, b]", ["a", "b"]), ("a, b", ["a", "b"]),
  ])
  func namesAreReadAsTheyAreWritten(text: String, names: [String]) {
    #expect(ClassNames.inMetadata(["names": text]) == names)
    #expect(ClassNames.inMetadata(["names": ClassNames.text(names)]) == names)
  }

  @Test(arguments: [
    "{0: 'a', 2: 'b'}", "{0: 'a}", "{0: 'a\\'}", #"{0: '\u12'}"#, "{a: 'b'}", "{0: b}",
  ])
  func brokenNamesAreNone(_ text: String) {
    #expect(ClassNames.inMetadata(["names": text]) == nil)
  }

  @Test func manyLongNamesTakeLittleTime() {
    let names = (0..<2000).map { "\($0) " + String(repeating: "\\'x", count: 20) }
    #expect(ClassNames.inMetadata(["names": ClassNames.text(names)]) == names)
  }
}
