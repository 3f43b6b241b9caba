// Fovea - tests of the JSON documents of the commands, against Foundation's encoder.
// SPDX-License-Identifier: Apache-2.0
import FoveaCommandLine
import Foundation
import Testing

@Suite struct JSONOutputTests {
  /// Every kind of value that a document may have.
  private struct Document: Encodable {
    var text = "a\"b\\c/\n\t\r\u{1}\u{1F}\u{7F}\u{E9}\u{1F600}\u{2028}"
    var float: Float = 0.1
    var fractions = [1e-7, 5, 2.5, 0.1 + 0.2, 1e22, -0.0, -1.5e300]
    var integers: [Int64] = [.min, -3, 0, .max]
    var unsigned = UInt64.max
    var truths = ["no": false, "yes": true]
    var gaps: [Int?] = [1, nil, 2]
    var absent: Int?
    var nested = [[1], [2, 3]]
    var members = [Member(kind: .second), Member(kind: .first, count: 3)]
    var choice = Choice.pair(1, "b")
    var child = Child()
  }

  private struct Member: Encodable {
    var kind: Kind
    var count: Int?
  }

  private enum Kind: String, Encodable { case first, second }

  private enum Choice: Encodable { case pair(Int, String) }

  private class Parent: Encodable { var a = 1 }

  private final class Child: Parent {
    var b = 2

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(b, forKey: .b)
      try super.encode(to: container.superEncoder())
    }

    private enum Key: CodingKey { case b }
  }

  @Test func everyKindOfValueIsWrittenAsFoundationWritesIt() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let expected = String(decoding: try encoder.encode(Document()), as: UTF8.self)
    #expect(try JSONOutput.text(Document()) == expected + "\n")
  }

  @Test func emptyListsAndSingleValuesAreDocuments() throws {
    #expect(try JSONOutput.text([Int]()) == "[]\n")
    #expect(try JSONOutput.text([String: Int]()) == "{}\n")
    #expect(try JSONOutput.text("\u{8}\u{C}") == "\"\\u0008\\u000c\"\n")
    #expect(try JSONOutput.text(true) == "true\n")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func whatIsNoFiniteNumberIsRefused(_ value: Double) {
    #expect(throws: CommandFailure.self) { try JSONOutput.text([value]) }
    #expect(throws: CommandFailure.self) { try JSONOutput.text(["float": Float(value)]) }
  }
}
