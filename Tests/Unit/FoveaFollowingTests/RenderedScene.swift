// Fovea - pictures of a textured object that moves over a textured ground, from formulas.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaFollowing
import FoveaGeometry

/// Where the object of a scene is.
struct RenderedPose {
  var x, y: Double
  var width = 30.0, height = 24.0
  var angle = 0.0
  var isVisible = true

  /// The frame of the turned rectangle.
  var box: ImageRect {
    let (c, s) = (abs(cos(angle)), abs(sin(angle)))
    let (w, h) = (c * width + s * height, s * width + c * height)
    return ImageRect(x: x - w / 2, y: y - h / 2, width: w, height: h, origin: .upperLeft)
  }
}

/// Pictures of a textured object that moves over a textured ground, from formulas.
struct RenderedScene {
  var width = 160, height = 120
  /// Chooses another texture of the object and the ground.
  var seed = 1.0

  /// Luma of a picture; edges of the object are soft over a pixel.
  func luma(_ pose: RenderedPose) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: width * height)
    let (c, s) = (cos(pose.angle), sin(pose.angle))
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        var level = ground(x, y)
        if pose.isVisible {
          let (dx, dy) = (x - pose.x, y - pose.y)
          let u = (c * dx + s * dy) / pose.width, v = (c * dy - s * dx) / pose.height
          let inside =
            min(1, max(0, (0.5 - abs(u)) * pose.width + 0.5))
            * min(1, max(0, (0.5 - abs(v)) * pose.height + 0.5))
          if inside > 0 { level += (object(u, v) - level) * inside }
        }
        bytes[row * width + column] = UInt8(min(255, max(0, level.rounded())))
      }
    }
    return bytes
  }

  private func ground(_ x: Double, _ y: Double) -> Double {
    120 + 22 * sin(x * 0.11 + seed) * cos(y * 0.13 - seed)
      + 18 * sin(x * 0.31 - y * 0.23 + 2 * seed) + 12 * cos(x * 0.05 + y * 0.41)
  }

  private func object(_ u: Double, _ v: Double) -> Double {
    128 + 50 * sin(9 * u + seed) * cos(8 * v) + 35 * cos(14 * v - 6 * u + seed)
      + 25 * sin(17 * u + 5 * v)
  }

  /// The pictures of the poses after the first, followed from the first.
  func follow(
    _ poses: [RenderedPose], level: TrackingLevel = .fast
  ) throws -> [FollowedObject] {
    var follower = try ObjectFollower(level: level)
    try with(poses[0]) { picture throws(FollowingError) in
      try follower.start(in: picture, box: poses[0].box)
    }
    var found: [FollowedObject] = []
    for pose in poses.dropFirst() {
      try with(pose) { picture throws(FollowingError) in
        found.append(try follower.step(in: picture, seconds: 0.04))
      }
    }
    return found
  }

  /// Lends the picture of a pose.
  func with<Result>(
    _ pose: RenderedPose, _ body: (FollowedImage) throws(FollowingError) -> Result
  ) throws(FollowingError) -> Result {
    let luma = luma(pose)
    return try FollowedImage.withPlanes(
      luma: luma.span.bytes, .init(width: width, height: height, rowBytes: width),
      blue: luma.span.bytes, nil, red: luma.span.bytes, nil, body)
  }
}

/// Intersection over union.
func overlap(_ a: ImageRect, _ b: ImageRect) -> Double {
  let width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
  let height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
  guard width > 0, height > 0 else { return 0 }
  return width * height / (a.width * a.height + b.width * b.height - width * height)
}
