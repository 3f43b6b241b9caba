// Fovea - small ONNX files that ask for much are refused soon.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct HostileONNXTests {
  /// Loads a file, which is refused or not, and expects that to end soon.
  private func expectSoon(
    _ shape: [Int], set: Int = 18, sourceLocation: SourceLocation = #_sourceLocation,
    _ fill: (inout ONNXWriter) -> Void
  ) {
    var writer = ONNXWriter(operationSet: set)
    fill(&writer)
    writer.input("x", shape)
    writer.output("y")
    let options = Model.Options(backend: .reference, maximumSessionBytes: 1 << 28)
    let bytes = writer.bytes
    let time = threadSeconds {
      do throws(FoveaError) {
        _ = try Model(bytes: bytes, name: "test", options: options)
      } catch {
        #expect(
          !error.message.isEmpty && error.message.count < 2000, sourceLocation: sourceLocation)
      }
    }
    #expect(time < ProgramBuilder.soon, "\(time) s", sourceLocation: sourceLocation)
  }

  @Test func manyLargePlanes() {
    expectSoon([1, 1, 1, 1]) { writer in
      writer.integers("sizes", [1, 1, 1, 1 << 20])
      writer.integers("back", [1, 1, 1, 1])
      for index in 0..<2000 {
        writer.add(
          "Resize", [index == 0 ? "x" : "b\(index)", "", "", "sizes"], ["a\(index)"],
          ["mode": .string(index % 2 == 0 ? "nearest" : "cubic")])
        writer.add(
          "Resize", ["a\(index)", "", "", "back"], [index == 1999 ? "y" : "b\(index + 1)"])
      }
    }
  }

  /// One list that many nodes read as a parameter.
  @Test func longLists() {
    expectSoon([4]) { writer in
      writer.integers("list", Array(repeating: 1, count: 200_000))
      for index in 0..<5000 {
        writer.add("Reshape", [index == 0 ? "x" : "a\(index)", "list"], ["a\(index + 1)"])
      }
      writer.add("Relu", ["a5000"])
    }
    expectSoon([4]) { writer in
      writer.floats("scales", Array(repeating: 1, count: 200_000))
      for index in 0..<5000 {
        writer.add(
          "QuantizeLinear", [index == 0 ? "x" : "a\(index)", "scales"], ["a\(index + 1)"])
      }
      writer.add("Relu", ["a5000"])
    }
  }

  @Test func manyUpdates() {
    expectSoon([1000, 1000]) { writer in
      writer.integers("places", [0, 0], [1, 2])
      writer.floats("update", [1])
      for index in 0..<3000 {
        writer.add(
          "ScatterND", [index == 0 ? "x" : "a\(index)", "places", "update"],
          [index == 2999 ? "y" : "a\(index + 1)"], ["reduction": .string("add")])
      }
    }
  }

  @Test func manyWindowsWithGaps() {
    expectSoon([1, 1, 200, 200]) { writer in
      for index in 0..<3000 {
        writer.add(
          "MaxPool", [index == 0 ? "x" : "a\(index)"], [index == 2999 ? "y" : "a\(index + 1)"],
          [
            "kernel_shape": .ints([60, 60]), "dilations": .ints([2, 2]),
            "pads": .ints([59, 59, 59, 59]),
          ])
      }
    }
  }

  /// Arrays that double themselves.
  @Test func growth() {
    expectSoon([1 << 10]) { writer in
      writer.integers("twice", [2])
      for index in 0..<60 {
        writer.add(
          "Tile", [index == 0 ? "x" : "a\(index)", "twice"], [index == 59 ? "y" : "a\(index + 1)"])
      }
    }
    expectSoon([1]) { writer in
      writer.integers("sizes", [1 << 20])
      writer.add("ConstantOfShape", ["sizes"], ["a0"])
      for index in 0..<60 {
        writer.add("Concat", ["a\(index)", "a\(index)"], ["a\(index + 1)"], ["axis": .int(0)])
      }
      writer.add("Add", ["x", "a60"])
    }
  }

  @Test func wordsWithoutEnd() {
    expectSoon([4]) { writer in
      let terms = String((0..<100_000).map { Character(Unicode.Scalar(0x4E00 + $0 % 20_000)!) })
      writer.add("Einsum", ["x"], ["y"], ["equation": .string(terms)])
    }
  }
}
