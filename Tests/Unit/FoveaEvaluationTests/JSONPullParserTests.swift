// Fovea - tests of the reader of JSON, on good and hostile documents.
// SPDX-License-Identifier: Apache-2.0
import FoveaEvaluation
import FoveaJSON
import FoveaTestSupport
import Testing

@Suite struct JSONPullParserTests {
  static func parse<Result>(
    _ text: String, _ body: (inout JSONPullParser) throws(JSONError) -> Result
  ) throws -> Result {
    try parse(Array(text.utf8), body)
  }

  /// Reads a whole document from bytes that end where the memory may end too.
  static func parse<Result>(
    _ bytes: [UInt8], _ body: (inout JSONPullParser) throws(JSONError) -> Result
  ) throws -> Result {
    try bytes.withUnsafeBytes { bytes in
      var parser = JSONPullParser(bytes)
      let result = try body(&parser)
      try parser.finish()
      return result
    }
  }

  static let good = [
    "0", " -0 ", "1e5", "-12.5E-3", "true", "false", "null", "\"\"", "[]", "{}", "[[],{}]",
    "\t[1,\n2 , 3]\r", "{\"a\":{\"b\":[null]},\"a\":1}", "\"\\u00e9\\n\\\\\\\"\\/\"", "\"é\"",
    String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
  ]

  static let bad = [
    "", " ", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}",
    "{\"a\":1,}", "{a:1}", "{1:2}", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
    "\"\n\"", "01", "+1", "-", "1.", ".5", "1e", "1e+", "0x10", "NaN", "Infinity", "-Infinity",
    "nul", "nulll", "tru", "truefalse", "1e999", "-1e999", "[1]]", "1 1", "'a'", "// 1",
    "\u{FEFF}1",
    String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
    String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
  ]

  @Test func documentsAreTakenOrRefused() throws {
    for text in Self.good {
      #expect(throws: Never.self) {
        try Self.parse(text) { p throws(JSONError) in try p.skipValue() }
      }
    }
    for text in Self.bad {
      #expect(throws: JSONError.self, "\(text.prefix(40))") {
        try Self.parse(text) { p throws(JSONError) in try p.skipValue() }
      }
    }
  }

  @Test func numbersAreTheNearestDoubles() throws {
    var random = SplitMix(seed: 5)
    var texts = [
      "0", "-0", "0.1", "0.30000000000000004", "9007199254740993", "9007199254740993.0",
      "123456789012345678901234567890", "1e22", "1e23", "8.5e-22", "4.9e-324", "1e-400",
      "2.2250738585072011e-308", "1.7976931348623157e308", "0.000000000000000000000000000001",
      "179769313486231570000000000000000000000e-10", "18446744073709551616.5",
      "00.5".dropFirst() + "",
    ]
    for _ in 0..<20000 {
      let value = Double(bitPattern: random.next())
      if value.isFinite { texts.append("\(value)") }
      let digits = Int(random.next() % 19)
      texts.append(
        "\(Int64(bitPattern: random.next()) / 1000)." + "\(random.next())".prefix(digits + 1))
      texts.append("\(random.next() % 100_000)e\(Int(random.next() % 60) - 30)")
    }
    for text in texts {
      let number = try Self.parse(text) { p throws(JSONError) in try p.readNumber() }
      #expect(number.double.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test func wholeNumbersMayLookLikeFractions() throws {
    func integer(_ text: String) throws -> Int {
      try Self.parse(text) { p throws(JSONError) in try p.readInteger() }
    }
    #expect(try integer("12") == 12 && integer("-7") == -7 && integer("12.0") == 12)
    #expect(try integer("1e3") == 1000 && integer("999999999999999999") == 999_999_999_999_999_999)
    for text in ["12.5", "1e30", "99999999999999999999", "\"1\"", "null", "[1]"] {
      #expect(throws: JSONError.self) { try integer(text) }
    }
  }

  @Test func textsAreDecoded() throws {
    func text(_ bytes: [UInt8]) throws -> String {
      try Self.parse(bytes) { p throws(JSONError) in try p.readText() }
    }
    #expect(try text(Array(#""a\u00e9\ud83d\ude00\t\/""#.utf8)) == "aé😀\t/")
    #expect(try text(Array("\"日本\"".utf8)) == "日本")
    for bad in [#""\ud83d""#, #""\ude00\ud83d""#, #""\ud83dx""#, #""\ud83d\n""#] {
      #expect(throws: JSONError.self, "\(bad)") { try text(Array(bad.utf8)) }
    }
    #expect(throws: JSONError.self) { try text([0x22, 0xFF, 0x22]) }
    #expect(throws: JSONError.self) { try text([0x22, 0xC0, 0x80, 0x22]) }
  }

  @Test func keysMayBeEscaped() throws {
    var found = 0
    try Self.parse(#"{"b\u0062ox": 1, "bbo": 2, "bboxx": 3, "bbox": 4}"#) { p throws(JSONError) in
      try p.readObject { p, key throws(JSONError) in
        if case "bbox" = key { found += try p.readInteger() } else { try p.skipValue() }
      }
    }
    #expect(found == 5)
  }

  /// Every prefix of a document is refused, and damaged ones never end the process.
  @Test func damageIsAnError() throws {
    let text =
      #"{"images":[{"id":1,"file_name":"a\u00e9.jpg"}],"annotations":[{"id":1,"#
      + #""image_id":1,"category_id":2,"bbox":[1,2.5,3e0,4],"iscrowd":0}],"categories":[{"id":2}]}"#
    let whole = Array(text.utf8)
    #expect(try CocoInstances(json: whole).objectCount == 1)
    for length in 0..<whole.count {
      #expect(throws: EvaluationError.self) { try CocoInstances(json: Array(whole[..<length])) }
    }
    var random = SplitMix(seed: 11)
    var refused = 0
    for _ in 0..<20000 {
      var bytes = whole
      for _ in 0...random.next() % 3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      do throws(EvaluationError) { _ = try CocoInstances(json: bytes) } catch { refused += 1 }
    }
    #expect(refused > 10000)
  }
}
