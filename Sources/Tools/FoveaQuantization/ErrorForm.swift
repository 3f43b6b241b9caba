// Fovea - the error that codes make in what a layer writes.
// SPDX-License-Identifier: Apache-2.0

/// A quadratic form that says how much an error of a row of weights matters in what the layer writes:
/// e^T H e, where H is a matrix of second moments of the layer's input.
///
/// Without calibration H is the identity: all weights matter alike.
struct ErrorForm {
  let size: Int
  /// H, row-major, damped; `nil` for the identity.
  let matrix: [Double]?
  /// U with H^-1 = U^T U in the order of `order`; `nil` for the identity.
  let inverseFactor: [Double]?
  /// The inputs, those with the largest second moments first.
  let order: [Int]

  /// Added to the diagonal, as a part of its mean. GPTQ uses the same.
  static let damping = 0.01

  /// All weights alike.
  init(identity size: Int) {
    self.init(size: size, matrix: nil, inverseFactor: nil, order: Array(0..<size))
  }

  private init(size: Int, matrix: [Double]?, inverseFactor: [Double]?, order: [Int]) {
    self.size = size
    self.matrix = matrix
    self.inverseFactor = inverseFactor
    self.order = order
  }

  /// A matrix of moments; the identity where it is not positive even when damped.
  init(moments: [Double], size: Int) {
    var matrix = moments
    let diagonal = (0..<size).map { moments[$0 * size + $0] }
    let mean = diagonal.reduce(0, +) / Double(max(size, 1))
    guard mean > 0, mean.isFinite else {
      self.init(identity: size)
      return
    }
    for index in 0..<size { matrix[index * size + index] += Self.damping * mean }
    let order = (0..<size).sorted { (diagonal[$1], $0) < (diagonal[$0], $1) }
    var ordered = [Double](repeating: 0, count: size * size)
    for row in 0..<size {
      for column in 0..<size {
        ordered[row * size + column] = matrix[order[row] * size + order[column]]
      }
    }
    guard let factor = InverseFactor.upper(ordered, size: size) else {
      self.init(identity: size)
      return
    }
    self.init(size: size, matrix: matrix, inverseFactor: factor, order: order)
  }

  /// What an error of weight `index` alone costs.
  func diagonal(_ index: Int) -> Double { matrix.map { $0[index * size + index] } ?? 1 }

  /// H times a row.
  func applied(to row: [Double]) -> [Double] {
    guard let matrix else { return row }
    var product = [Double](repeating: 0, count: size)
    matrix.withUnsafeBufferPointer { matrix in
      product.withUnsafeMutableBufferPointer { product in
        for (index, value) in row.enumerated() where value != 0 {
          let start = index * size
          for column in 0..<size { product[column] += value * matrix[start + column] }
        }
      }
    }
    return product
  }

  /// row^T H row.
  func energy(_ row: [Double]) -> Double {
    zip(applied(to: row), row).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
