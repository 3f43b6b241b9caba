// Fovea - arrays for oracles: a shape, its elements, and an index for each.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport

/// A dense row-major array.
struct DenseArray: Equatable {
  var shape: [Int]
  var values: [Float]

  init(_ shape: [Int], _ values: [Float]) {
    precondition(shape.reduce(1, *) == values.count, "\(shape) does not hold \(values.count)")
    self.shape = shape
    self.values = values
  }

  /// An array whose elements a function of their index gives.
  init(_ shape: [Int], element: ([Int]) -> Float) {
    self.init(shape, DenseArray.indices(of: shape).map(element))
  }

  /// Every index of a shape, last dimension fastest.
  static func indices(of shape: [Int]) -> [[Int]] {
    (0..<shape.reduce(1, *)).map { position in
      var rest = position
      var index = [Int](repeating: 0, count: shape.count)
      for i in shape.indices.reversed() {
        index[i] = rest % shape[i]
        rest /= shape[i]
      }
      return index
    }
  }

  subscript(index: [Int]) -> Float {
    var position = 0
    for i in shape.indices {
      precondition((0..<shape[i]).contains(index[i]), "\(index) is outside \(shape)")
      position = position * shape[i] + index[i]
    }
    return values[position]
  }
}

extension SplitMix {
  /// Sizes around the widths of vectors and tiles, with at most `limit` elements in all.
  mutating func shape(rank: Int, limit: Int = 6000) -> [Int] {
    var shape: [Int] = []
    for _ in 0..<rank {
      let room = limit / shape.reduce(1, *)
      shape.append([1, 2, 3, 5, 7, 16, 17].filter { $0 <= room }.randomElement(using: &self) ?? 1)
    }
    return shape.shuffled(using: &self)
  }

  /// Elements in a range.
  mutating func array(_ shape: [Int], in range: ClosedRange<Float> = -3...3) -> DenseArray {
    DenseArray(shape, (0..<shape.reduce(1, *)).map { _ in Float.random(in: range, using: &self) })
  }
}
