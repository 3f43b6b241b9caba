// Fovea - tests of resizing.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Foundation
import FoveaTestSupport
import Testing

private struct Resize {
  var filter = fov_resize_filter.nearest
  var output: [Int]
  var step: [Double]
  var offset: [Double]

  var add: AddOperation {
    var parameters = fov_resize(
      filter: filter, output: (output[0], output[1]), step: (step[0], step[1]),
      offset: (offset[0], offset[1]))
    return { fov_graph_add_resize($0, &parameters, $1[0], $2, $3) }
  }

  private func position(_ i: Int, _ axis: Int, _ size: Int) -> Double {
    min(max(Double(i) * step[axis] + offset[axis], 0), Double(size - 1))
  }

  /// Nearest by position; bilinear as the sum of four elements by their areas, in double precision.
  func oracle(_ input: DenseArray) -> DenseArray {
    let rows = input.shape[input.shape.count - 2]
    let columns = input.shape[input.shape.count - 1]
    return DenseArray(input.shape.dropLast(2) + output) { index in
      let y = position(index[index.count - 2], 0, rows)
      let x = position(index[index.count - 1], 1, columns)
      func element(_ i: Int, _ j: Int) -> Double {
        Double(input[index.dropLast(2) + [min(i, rows - 1), min(j, columns - 1)]])
      }
      if filter == .nearest { return Float(element(Int(y), Int(x))) }
      let v = y - floor(y)
      let u = x - floor(x)
      let (i, j) = (Int(y), Int(x))
      return Float(
        element(i, j) * (1 - u) * (1 - v) + element(i, j + 1) * u * (1 - v)
          + element(i + 1, j) * (1 - u) * v + element(i + 1, j + 1) * u * v)
    }
  }
}

@Suite struct ResizeTests {
  @Test(arguments: [0, 1] as [UInt32], InputPlace.allCases)
  func matchesPositions(_ filter: UInt32, _ place: InputPlace) throws {
    var generator = SplitMix(seed: UInt64(filter) + 40)
    for trial in 0..<50 {
      let input = generator.array(generator.shape(rank: trial % 3 + 3, limit: 200))
      let resize = Resize(
        filter: fov_resize_filter(rawValue: filter)!,
        output: (0..<2).map { _ in Int.random(in: 1...20, using: &generator) },
        step: (0..<2).map { _ in Double.random(in: -0.5...2, using: &generator) },
        offset: (0..<2).map { _ in Double.random(in: -1...4, using: &generator) })
      let result = try GraphRunner.run([input], from: place, add: resize.add)
      let tolerance: Float = filter == 0 ? 0 : 3e-6
      expectClose(result, resize.oracle(input), relative: tolerance, absolute: tolerance)
    }
  }

  @Test(arguments: [(1, 1), (1, 5), (2, 3), (7, 16), (13, 17)])
  func doublesByRepetition(_ rows: Int, _ columns: Int) throws {
    var generator = SplitMix(seed: 4)
    let input = generator.array([2, 3, rows, columns])
    // Both offsets mean 0 0 1 1 2 2 ...
    for offset in [0, 0.25] {
      let resize = Resize(
        output: [2 * rows, 2 * columns], step: [0.5, 0.5], offset: [offset, offset])
      let expected = DenseArray([2, 3, 2 * rows, 2 * columns]) {
        input[[$0[0], $0[1], $0[2] / 2, $0[3] / 2]]
      }
      #expect(try GraphRunner.run([input], add: resize.add) == expected)
    }
    // Twice as many columns that are no repetition.
    let flipped = Resize(
      output: [rows, 2 * columns], step: [1, -0.5], offset: [0, Double(columns) - 0.5])
    #expect(try GraphRunner.run([input], add: flipped.add) == flipped.oracle(input))
  }

  @Test func bilinearKeepsWhatHasNoShare() throws {
    let input = DenseArray([1, 1, 3], [1, .nan, 5])
    let resize = Resize(filter: .bilinear, output: [1, 2], step: [1, 2], offset: [0, 0])
    #expect(try GraphRunner.run([input], add: resize.add).values == [1, 5])
  }

  @Test func farPositionsAreClamped() throws {
    let input = DenseArray([1, 1, 3], [1, 2, 3])
    let resize = Resize(
      output: [1, 3], step: [0, .greatestFiniteMagnitude], offset: [0, -.greatestFiniteMagnitude])
    #expect(try GraphRunner.run([input], add: resize.add).values == [1, 1, 3])
  }

  @Test func refusals() throws {
    func status(_ resize: Resize, _ shape: [Int] = [1, 3, 3]) throws -> fov_status {
      try GraphRunner.status(shapes: [shape], add: resize.add)
    }
    let plain = Resize(output: [2, 2], step: [1, 1], offset: [0, 0])
    #expect(try status(plain) == .ok)
    #expect(try status(plain, [3, 3]) == .shape_mismatch)
    for axis in 0..<2 {
      for number in [Double.nan, .infinity, -.infinity] {
        var resize = plain
        resize.step[axis] = number
        #expect(try status(resize) == .invalid_argument)
        resize = plain
        resize.offset[axis] = number
        #expect(try status(resize) == .invalid_argument)
      }
      var resize = plain
      resize.output[axis] = 0
      #expect(try status(resize) == .invalid_argument)
      resize.output[axis] = .max
      #expect(try status(resize) == .overflow)
    }
    var resize = plain
    resize.filter = fov_resize_filter(rawValue: 2)!
    #expect(try status(resize) == .invalid_argument)
  }
}
