// Fovea - points that are turned by an angle.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Boxes that annotators have turned.
enum Turning {
  /// A point turned about another, clockwise where y points down.
  static func turned(
    _ point: (x: Double, y: Double), degrees: Double, about pivot: (x: Double, y: Double)
  ) -> (x: Double, y: Double) {
    let angle = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
    let (cosine, sine) = (cos(angle), sin(angle))
    let (x, y) = (point.x - pivot.x, point.y - pivot.y)
    return (pivot.x + cosine * x - sine * y, pivot.y + sine * x + cosine * y)
  }
}
