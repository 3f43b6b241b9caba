// Fovea - tests of padding.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

private struct Padding {
  var mode = fov_padding_mode.constant
  var value: Float = 0
  var before: [Int]
  var after: [Int]

  var add: AddOperation {
    var parameters = fov_padding()
    parameters.mode = mode
    parameters.value = value
    withUnsafeMutableBytes(of: &parameters.before) { buffer in
      for (i, size) in before.enumerated() { buffer.bindMemory(to: Int.self)[i] = size }
    }
    withUnsafeMutableBytes(of: &parameters.after) { buffer in
      for (i, size) in after.enumerated() { buffer.bindMemory(to: Int.self)[i] = size }
    }
    return { fov_graph_add_padding($0, &parameters, $1[0], $2, $3) }
  }

  /// Walks in from the border one step at a time instead of computing a position.
  func oracle(_ input: DenseArray) -> DenseArray {
    let shape = input.shape.indices.map { before[$0] + input.shape[$0] + after[$0] }
    return DenseArray(shape) { index in
      var source = index.indices.map { index[$0] - before[$0] }
      for i in source.indices {
        let size = input.shape[i]
        if mode == .constant && !(0..<size).contains(source[i]) { return value }
        if source[i] < 0 { source[i] = mode == .reflect ? -source[i] : 0 }
        if source[i] >= size {
          let beyond = source[i] - (size - 1)
          source[i] = mode == .reflect ? size - 1 - beyond : size - 1
        }
      }
      return input[source]
    }
  }
}

@Suite struct PaddingTests {
  @Test(arguments: [0, 1, 2] as [UInt32], InputPlace.allCases)
  func readsByIndex(_ mode: UInt32, _ place: InputPlace) throws {
    var generator = SplitMix(seed: UInt64(mode) + 30)
    for trial in 0..<40 {
      let input = generator.array(generator.shape(rank: trial % 5 + 1, limit: 400))
      func amounts() -> [Int] {
        input.shape.map { size in
          Int.random(in: 0...(mode == 1 ? min(size - 1, 3) : 3), using: &generator)
        }
      }
      let padding = Padding(
        mode: fov_padding_mode(rawValue: mode)!, value: -2.5, before: amounts(), after: amounts())
      let result = try GraphRunner.run([input], from: place, add: padding.add)
      #expect(result == padding.oracle(input))
    }
  }

  @Test func theRowsOfTheInterface() throws {
    let row = DenseArray([3], [0, 1, 2])
    var padding = Padding(mode: .reflect, before: [2], after: [2])
    #expect(try GraphRunner.run([row], add: padding.add).values == [2, 1, 0, 1, 2, 1, 0])
    padding.mode = .replicate
    #expect(try GraphRunner.run([row], add: padding.add).values == [0, 0, 0, 1, 2, 2, 2])
    padding = Padding(value: -.infinity, before: [1], after: [0])
    #expect(try GraphRunner.run([row], add: padding.add).values == [-.infinity, 0, 1, 2])
  }

  @Test func refusals() throws {
    func status(_ padding: Padding) throws -> fov_status {
      try GraphRunner.status(shapes: [[2, 3]], add: padding.add)
    }
    #expect(try status(Padding(mode: .reflect, before: [1, 2], after: [1, 2])) == .ok)
    #expect(
      try status(Padding(mode: .reflect, before: [2, 0], after: [0, 0])) == .shape_mismatch)
    #expect(
      try status(Padding(mode: .reflect, before: [0, 0], after: [0, 3])) == .shape_mismatch)
    #expect(
      try status(Padding(mode: fov_padding_mode(rawValue: 3)!, before: [0, 0], after: [0, 0]))
        == .invalid_argument)
    #expect(
      try status(Padding(value: .nan, before: [0, 0], after: [0, 0])) == .invalid_argument)
    #expect(try status(Padding(before: [-1, 0], after: [0, 0])) == .overflow)
    #expect(try status(Padding(before: [0, .max], after: [0, .max])) == .overflow)
  }
}
