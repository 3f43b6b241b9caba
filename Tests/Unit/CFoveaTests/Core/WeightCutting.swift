// Fovea - weights in parts, straight from the words of fov_types.h.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport

/// How weights of four axes are cut into parts, and how many of them share a code.
struct WeightCutting: CustomStringConvertible {
  var shape: [Int]
  var counts: [Int]
  var vector = 1
  var vectorAxis = 0

  var count: Int { counts.reduce(1, *) }
  var codeCount: Int { shape.reduce(1, *) / vector }
  var tuple: (Int, Int, Int, Int) { (counts[0], counts[1], counts[2], counts[3]) }
  var description: String { "\(shape) / \(counts), vectors of \(vector) on axis \(vectorAxis)" }

  /// A few parts of some axes.
  static func random(_ shape: [Int], cuts: [Int], _ random: inout SplitMix) -> WeightCutting {
    let counts = shape.enumerated().map { axis, size in
      let divisors = (1...size).filter { size % $0 == 0 && $0 <= 8 }
      return cuts.contains(axis) ? divisors.randomElement(using: &random)! : 1
    }
    return WeightCutting(shape: shape, counts: counts)
  }

  /// Any parts, with vectors by chance.
  static func any(
    _ shape: [Int], allowsVectors: Bool, _ random: inout SplitMix
  ) -> WeightCutting {
    var result = WeightCutting(shape: shape, counts: [1, 1, 1, 1])
    if allowsVectors, Bool.random(using: &random) {
      result.vectorAxis = Int.random(in: 0..<4, using: &random)
      let size = shape[result.vectorAxis]
      result.vector = (1...size).filter { size % $0 == 0 }.randomElement(using: &random)!
    }
    for axis in 0..<4 where Bool.random(using: &random) {
      let codes = shape[axis] / (axis == result.vectorAxis ? result.vector : 1)
      result.counts[axis] =
        (1...codes).filter { codes % $0 == 0 }.randomElement(using: &random)!
    }
    return result
  }

  /// Every weight from the place of its code, its part, and its place among those of one code.
  func map(_ value: (_ code: Int, _ part: Int, _ neighbor: Int) -> Float) -> [Float] {
    var result: [Float] = []
    for o in 0..<shape[0] {
      for i in 0..<shape[1] {
        for y in 0..<shape[2] {
          for x in 0..<shape[3] {
            var place = [o, i, y, x]
            var sizes = shape
            let neighbor = place[vectorAxis] % vector
            place[vectorAxis] /= vector
            sizes[vectorAxis] /= vector
            let code = zip(place, sizes).reduce(0) { $0 * $1.1 + $1.0 }
            var part = 0
            for axis in 0..<4 {
              part = part * counts[axis] + place[axis] / (sizes[axis] / counts[axis])
            }
            result.append(value(code, part, neighbor))
          }
        }
      }
    }
    return result
  }
}
