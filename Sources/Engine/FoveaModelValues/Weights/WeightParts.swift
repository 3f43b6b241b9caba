// Fovea - which table or scale each weight of an array has.
// SPDX-License-Identifier: Apache-2.0

/// An array of weights that is cut into equal parts along its axes. Every part has a table or a
/// scale of its own; parts are numbered in row-major order.
///
/// A code of a table may stand for several neighbors along one axis.
public struct WeightParts: Sendable, Hashable {
  /// The sizes of the weights, outermost first.
  public let shape: [Int]
  /// The number of parts along each axis.
  public let counts: [Int]
  /// The number of neighbors that share a code.
  public let vector: Int
  /// The axis along which they are neighbors.
  public let vectorAxis: Int

  /// The longest vector that can be described.
  static let longestVector = 64

  /// Creates parts; `nil` if they do not divide the weights.
  ///
  /// - Parameters:
  ///   - shape: The sizes of the weights, outermost first.
  ///   - counts: The number of parts along each axis.
  ///   - vector: The number of neighbors that share a code.
  ///   - vectorAxis: The axis along which they are neighbors.
  public init?(shape: [Int], counts: [Int], vector: Int = 1, vectorAxis: Int = 0) {
    guard !shape.isEmpty, shape.count == counts.count, shape.indices.contains(vectorAxis),
      (1...Self.longestVector).contains(vector)
    else { return nil }
    for axis in shape.indices {
      let codes = axis == vectorAxis ? shape[axis] / vector : shape[axis]
      guard counts[axis] >= 1, codes >= 1, codes % counts[axis] == 0,
        axis != vectorAxis || shape[axis] % vector == 0
      else { return nil }
    }
    var product = 1
    for size in shape {
      let (next, overflow) = product.multipliedReportingOverflow(by: size)
      guard !overflow else { return nil }
      product = next
    }
    self.shape = shape
    self.counts = counts
    self.vector = vector
    self.vectorAxis = vectorAxis
  }

  /// The number of all parts.
  public var count: Int { counts.reduce(1, *) }

  /// The number of weights.
  public var weightCount: Int { shape.reduce(1, *) }

  /// Calls a function with every weight: its code, its part, and its place among the neighbors that
  /// share the code.
  func forEach(_ body: (_ weight: Int, _ code: Int, _ part: Int, _ neighbor: Int) -> Void) {
    var place = [Int](repeating: 0, count: shape.count)
    for weight in 0..<weightCount {
      var (code, part) = (0, 0)
      for axis in shape.indices {
        let shared = axis == vectorAxis ? vector : 1
        let (codes, here) = (shape[axis] / shared, place[axis] / shared)
        code = code * codes + here
        part = part * counts[axis] + here / (codes / counts[axis])
      }
      body(weight, code, part, place[vectorAxis] % vector)
      for axis in shape.indices.reversed() {
        place[axis] += 1
        if place[axis] < shape[axis] { break }
        place[axis] = 0
      }
    }
  }
}
