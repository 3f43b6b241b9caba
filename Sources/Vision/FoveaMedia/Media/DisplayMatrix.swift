// Fovea - how a video says that it is to be turned.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// The matrix by which a container turns and mirrors its pictures.
package enum DisplayMatrix {
  /// The orientation that nine numbers ask for: a b u, c d v, x y w, the first two columns in 16.16.
  ///
  /// A stored place (p, q) is seen at (a p + c q + x, b p + d q + y). Only the signs of a, b, c and d
  /// count, so that scaled matrices are understood.
  ///
  /// - Returns: `nil` for a matrix that neither keeps nor exchanges the axes.
  package static func orientation(_ numbers: [Int32]) -> ImageOrientation? {
    guard numbers.count == 9 else { return nil }
    return orientation(numbers[0], numbers[1], numbers[3], numbers[4])
  }

  /// The orientation that the four numbers ask for that turn and mirror.
  static func orientation(_ a: Int32, _ b: Int32, _ c: Int32, _ d: Int32) -> ImageOrientation? {
    let most = max(a.magnitude, b.magnitude, c.magnitude, d.magnitude)
    // What rounding leaves of a sine or cosine of 90 degrees is not counted.
    func sign(_ number: Int32) -> Int {
      UInt64(number.magnitude) * 100 <= UInt64(most) ? 0 : number < 0 ? -1 : 1
    }
    switch (sign(a), sign(b), sign(c), sign(d)) {
    case (1, 0, 0, 1): return .up
    case (-1, 0, 0, 1): return .upMirrored
    case (-1, 0, 0, -1): return .down
    case (1, 0, 0, -1): return .downMirrored
    case (0, 1, 1, 0): return .leftMirrored
    case (0, 1, -1, 0): return .right
    case (0, -1, -1, 0): return .rightMirrored
    case (0, -1, 1, 0): return .left
    default: return nil
    }
  }
}
