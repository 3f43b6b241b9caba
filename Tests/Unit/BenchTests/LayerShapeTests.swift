// Fovea - tests of the files of layer shapes.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaCommandLine
import FoveaInspection
import FoveaModelFormat
import FoveaRuntime
import Testing

import FoveaBench

@Suite struct LayerShapeTests {
  @Test func linesAreShapesAndTheRestIsComment() throws {
    let text = """
      # a comment
      conv_1   16 32  3 2  208 104  1 yes   # and another

      deep\t8 8 5 1 13 13 8 no
      """
    let shapes = try LayerShape.parse(text, file: "f")
    #expect(shapes.map(\.name) == ["conv_1", "deep"])
    let first = shapes[0]
    #expect(first.inputChannels == 16 && first.outputChannels == 32 && first.kernel == 3)
    #expect(first.stride == 2 && first.rows == 208 && first.columns == 104)
    #expect(first.groups == 1 && first.isPooled && !shapes[1].isPooled)
    #expect(first.multiplyAccumulates == 104 * 52 * 32 * 16 * 9)
    #expect(shapes[1].multiplyAccumulates == 13 * 13 * 8 * 25)
  }

  static let wrong: [(line: String, words: String)] = [
    ("a 1 1 1 1 1 1 1", "8 words; expected 9"), ("a 1 1 1 1 1 1 1 no no", "10 words"),
    ("a x 1 1 1 1 1 1 no", "input channels is 'x'"), ("a 1 0 1 1 1 1 1 no", "output channels"),
    ("a 1 1 -3 1 1 1 1 no", "kernel is '-3'"), ("a 1 1 1 1 1 99999 1 no", "columns"),
    ("a 1 1 1 1 1 1 1 maybe", "pooled is 'maybe'"), ("a 4 6 1 1 1 1 4 no", "4 groups"),
    ("a 1 1 1 1 1 1 1 yes", "too small"), ("ok 1 1 1 1 2 2 1 no", "'ok' is used before"),
  ]

  @Test(arguments: wrong)
  func badLinesAreRefusedWithTheirNumber(_ line: String, _ words: String) throws {
    let text = "# shapes\nok 1 1 1 1 2 2 1 no\n\n" + line + "\n"
    let failure = try #require(throws: CommandFailure.self) {
      try LayerShape.parse(text, file: "shapes.txt")
    }
    #expect(failure.message.hasPrefix("shapes.txt:4: "))
    #expect(failure.message.contains(words))
  }

  @Test func aFileWithoutShapesIsRefused() {
    #expect(throws: CommandFailure.self) { try LayerShape.parse("# none\n\n", file: "f") }
  }

  @Test func theNetworkOfAShapeHasItsWorkAndItsOutput() throws {
    let lines = "plain 5 7 3 2 9 11 1 no\npooled 3 8 3 1 10 6 1 yes\ngroups 8 4 1 1 3 3 4 no"
    let shapes = try LayerShape.parse(lines, file: "f")
    let outputs = [[7, 5, 6], [8, 5, 3], [4, 3, 3]]
    for (shape, output) in zip(shapes, outputs) {
      let model = try Model(
        file: shape.network(), name: shape.name, options: .init(backend: .reference))
      let work = model.nodes.reduce(0) { $0 + $1.multiplyAccumulates }
      #expect(work == shape.multiplyAccumulates)
      #expect(model.outputs[0].shape.suffix(3) == output[...])
      #expect(model.nodes.contains { $0.label == shape.name && $0.multiplyAccumulates > 0 })
    }
  }
}
