// Fovea - the triangular factor of an inverse.
// SPDX-License-Identifier: Apache-2.0
#if LAPACK
  internal import CLAPACKE
#endif

/// The upper triangular factor U of an inverse: matrix^-1 = U^T U.
///
/// The factor comes without the inverse itself: with rows and columns reversed the matrix is L L^T, so that
/// U is the inverse of L, reversed back. LAPACK factors and inverts where the trait `LAPACK` is on and the
/// library is installed; else loops do, which round in another order.
package enum InverseFactor {
  /// The factor of a symmetric matrix of `size` rows, row-major; `nil` unless it is positive definite.
  package static func upper(_ matrix: [Double], size: Int) -> [Double]? {
    var reversed = [Double](matrix.reversed())
    guard factorAndInvert(&reversed, size) else { return nil }
    for row in 0..<size {
      for column in row + 1..<max(size, row + 1) { reversed[row * size + column] = 0 }
    }
    return reversed.reversed()
  }

  /// Replaces the lower triangle of a row-major matrix by the inverse of its Cholesky factor.
  private static func factorAndInvert(_ matrix: inout [Double], _ size: Int) -> Bool {
    #if LAPACK
      if let lapacke = Self.lapacke {
        // By columns the lower triangle of rows is the upper one.
        let (order, count) = (LAPACK_COL_MAJOR, Int32(size))
        let upper = CChar(UInt8(ascii: "U"))
        return matrix.withUnsafeMutableBufferPointer { matrix in
          lapacke.factor(order, upper, count, matrix.baseAddress, count) == 0
            && lapacke.invert(
              order, upper, CChar(UInt8(ascii: "N")), count, matrix.baseAddress, count) == 0
        }
      }
    #endif
    return factorAndInvertByLoops(&matrix, size)
  }

  #if LAPACK
    private static let lapacke: fov_lapacke_functions? = withUnsafeTemporaryAllocation(
      of: fov_lapacke_functions.self, capacity: 1
    ) { functions in
      guard let start = functions.baseAddress, fov_lapacke_open("liblapacke.so.3", start) else {
        return nil
      }
      return start.pointee
    }
  #endif

  /// The same without a library.
  package static func factorAndInvertByLoops(_ matrix: inout [Double], _ size: Int) -> Bool {
    for row in 0..<size {
      for column in 0...row {
        var sum = matrix[row * size + column]
        for index in 0..<column {
          sum -= matrix[row * size + index] * matrix[column * size + index]
        }
        if row > column {
          matrix[row * size + column] = sum / matrix[column * size + column]
        } else {
          guard sum > 0, sum.isFinite else { return false }
          matrix[row * size + row] = sum.squareRoot()
        }
      }
    }
    for column in 0..<size {
      matrix[column * size + column] = 1 / matrix[column * size + column]
      for row in column + 1..<max(size, column + 1) {
        var sum = 0.0
        for index in column..<row {
          sum += matrix[row * size + index] * matrix[index * size + column]
        }
        // Its diagonal is still that of the factor: columns to the left are inverted, this row's is not.
        matrix[row * size + column] = -sum / matrix[row * size + row]
      }
    }
    return true
  }

  /// The solution of a symmetric positive definite system by Cholesky's method; `nil` for another.
  static func solve(_ matrix: [Double], _ right: [Double]) -> [Double]? {
    let size = right.count
    var factor = matrix
    guard factorAndInvertByLoops(&factor, size) else { return nil }
    // x = L^-T (L^-1 b)
    let middle = (0..<size).map { row in
      (0...row).reduce(0.0) { $0 + factor[row * size + $1] * right[$1] }
    }
    return (0..<size).map { column in
      (column..<size).reduce(0.0) { $0 + factor[$1 * size + column] * middle[$1] }
    }
  }
}
