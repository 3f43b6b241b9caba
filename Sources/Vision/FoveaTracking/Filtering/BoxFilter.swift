// Fovea - a Kalman filter of a box: where it is, how large, and how both change.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// A Kalman filter of a box that moves. Noise grows with the size of the box.
struct BoxFilter: Sendable {
  private(set) var x: AxisFilter
  private(set) var y: AxisFilter
  private(set) var width: AxisFilter
  private(set) var height: AxisFilter

  /// A size changes at most by this factor from one frame to the next.
  private static let greatestShrinking = 0.25

  /// A filter that has seen one box.
  init(_ box: TrackingBox, _ noise: MotionNoise) {
    let (w, h) = (box.width * box.width, box.height * box.height)
    func axis(_ position: Double, _ square: Double) -> AxisFilter {
      AxisFilter(
        position: position, variance: noise.firstBox * square,
        velocityVariance: noise.firstVelocity * square)
    }
    (x, y, width, height) = (
      axis(box.x, w), axis(box.y, h), axis(box.width, w), axis(box.height, h)
    )
  }

  /// The box as it is believed to be now.
  var box: TrackingBox {
    TrackingBox(x: x.position, y: y.position, width: width.position, height: height.position)
  }

  /// Goes on by `seconds`.
  ///
  /// - Parameter keepsSize: Whether the size stays as it is: what is not seen should not grow.
  mutating func predict(seconds: Double, keepsSize: Bool, _ noise: MotionNoise) {
    if keepsSize {
      width.velocity = 0
      height.velocity = 0
    }
    let (oldWidth, oldHeight) = (width.position, height.position)
    let (w, h) = (oldWidth * oldWidth, oldHeight * oldHeight)
    x.predict(seconds: seconds, drift: noise.drift * w, acceleration: noise.acceleration * w)
    y.predict(seconds: seconds, drift: noise.drift * h, acceleration: noise.acceleration * h)
    width.predict(
      seconds: seconds, drift: noise.drift * w, acceleration: noise.sizeAcceleration * w)
    height.predict(
      seconds: seconds, drift: noise.drift * h, acceleration: noise.sizeAcceleration * h)
    width.position = max(width.position, oldWidth * Self.greatestShrinking)
    height.position = max(height.position, oldHeight * Self.greatestShrinking)
  }

  /// Takes in a measured box.
  mutating func update(_ box: TrackingBox, _ noise: MotionNoise) {
    let w = width.position * width.position
    let h = height.position * height.position
    x.update(box.x, variance: noise.measuredCenter * w)
    y.update(box.y, variance: noise.measuredCenter * h)
    width.update(box.width, variance: noise.measuredSize * w)
    height.update(box.height, variance: noise.measuredSize * h)
  }

  /// Moves with the picture.
  mutating func move(_ motion: AffineMap) {
    let (oldX, oldY) = (x, y)
    x = AxisFilter(mixing: oldX, motion.a, oldY, motion.b)
    y = AxisFilter(mixing: oldX, motion.c, oldY, motion.d)
    x.position += motion.tx
    y.position += motion.ty
    let scale = motion.lengthFactor
    width.scale(by: scale)
    height.scale(by: scale)
  }
}

extension AffineMap {
  /// How much longer lengths become, in the mean of all directions.
  var lengthFactor: Double { (a * d - b * c).magnitude.squareRoot() }
}
