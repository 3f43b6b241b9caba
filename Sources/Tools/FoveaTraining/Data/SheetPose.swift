// Fovea - how a flat sheet lies in front of a camera.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// How a flat sheet lies in front of a camera.
package struct SheetPose: Sendable {
  /// The turn around the axis that points down, in radians: the left edge comes nearer or goes away.
  package var yaw: Double
  /// The turn around the axis that points across, in radians: the upper edge comes nearer.
  package var pitch: Double
  /// The turn in the plane of the picture, in radians, clockwise.
  package var roll: Double
  /// How far away the camera is, in diagonals of the sheet; above 0.5.
  package var distance: Double

  /// A pose.
  package init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0, distance: Double = 3) {
    (self.yaw, self.pitch, self.roll, self.distance) = (yaw, pitch, roll, distance)
  }

  /// Where the corners are seen, from the upper left of the sheet clockwise.
  ///
  /// They are moved and scaled: the middle of the box around them is 0, and its longer side is 1.
  package func corners(width: Double, height: Double) -> [SIMD2<Double>] {
    let diagonal = (width * width + height * height).squareRoot()
    let signs = [SIMD2(-0.5, -0.5), SIMD2(0.5, -0.5), SIMD2(0.5, 0.5), SIMD2(-0.5, 0.5)]
    let seen = signs.map { sign in
      projected(sign.x * width / diagonal, sign.y * height / diagonal)
    }
    let (least, most) = seen.bounds
    let longer = max(most.x - least.x, most.y - least.y)
    return seen.map { ($0 - (least + most) / 2) / longer }
  }

  /// Where the camera sees a point of the sheet.
  private func projected(_ x: Double, _ y: Double) -> SIMD2<Double> {
    let across = x * cos(roll) - y * sin(roll), down = x * sin(roll) + y * cos(roll)
    let (lower, depth) = (down * cos(pitch), down * sin(pitch))
    let away = depth * cos(yaw) + across * sin(yaw)
    let scale = distance / (distance + away)
    return SIMD2((across * cos(yaw) - depth * sin(yaw)) * scale, lower * scale)
  }
}

extension [SIMD2<Double>] {
  /// The corners of the upright box around points.
  var bounds: (least: SIMD2<Double>, most: SIMD2<Double>) {
    reduce(
      (
        SIMD2(repeating: .infinity),
        SIMD2(repeating: -.infinity)
      )
    ) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
  }

  /// The area of the polygon.
  var area: Double {
    abs(
      indices.reduce(0) { sum, place in
        let (a, b) = (self[place], self[(place + 1) % count])
        return sum + a.x * b.y - a.y * b.x
      }) / 2
  }
}
