// Fovea - tests of camera motion on pictures that are moved by known maps.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import FoveaTracking
import Testing

@Suite struct CameraMotionTests {
  private static let width = 480
  private static let height = 360

  /// A world of many waves, seen through a map: `map` leads from the world to the picture.
  private func picture(_ map: AffineMap, rowStep: Int = width, seed: UInt64 = 3) -> [UInt8] {
    var random = SplitMix(seed: seed)
    let waves = (0..<24).map { _ in
      (0..<3).map { _ in Double(random.next() % 1000) / 1000 }
    }
    guard let back = map.inverse else { return [] }
    var pixels = [UInt8](repeating: 0, count: rowStep * Self.height)
    for row in 0..<Self.height {
      for column in 0..<Self.width {
        let (x, y) = back(x: Double(column) + 0.5, y: Double(row) + 0.5)
        var value = 128.0
        for wave in waves {
          value += 12 * sine(x * (wave[0] - 0.5) * 0.07 + y * (wave[1] - 0.5) * 0.07 + wave[2])
        }
        pixels[row * rowStep + column] = UInt8(max(0, min(255, value)))
      }
    }
    return pixels
  }

  /// A wave of period 1 between -1 and 1.
  private func sine(_ turns: Double) -> Double {
    let t = turns - turns.rounded(.down)
    return t < 0.5 ? 16 * t * (0.5 - t) : -16 * (t - 0.5) * (1 - t)
  }

  private func expectEqual(_ found: AffineMap?, _ expected: AffineMap, within pixels: Double) {
    guard let found else {
      Issue.record("no motion")
      return
    }
    for (x, y) in [(40.0, 40.0), (440, 40), (40, 320), (440, 320)] {
      let (one, other) = (found(x: x, y: y), expected(x: x, y: y))
      let error = max((one.x - other.x).magnitude, (one.y - other.y).magnitude)
      #expect(error < pixels, "\(x) \(y): \(one) \(other)")
    }
  }

  static let motions = [
    AffineMap.translation(x: 3.3, y: -1.7), .translation(x: -25, y: 14),
    AffineMap(a: 1.02, b: 0, c: 0, d: 1.02, tx: -6, ty: -4),
    AffineMap(a: 0.999, b: -0.03, c: 0.03, d: 0.999, tx: 8, ty: -6),
  ]

  @Test(arguments: motions) func motionsAreFound(_ motion: AffineMap) {
    var estimator = CameraMotionEstimator()
    let (first, second) = (picture(.identity), picture(motion))
    let none = estimator.motion(
      luma: first.span, width: Self.width, height: Self.height, rowStep: Self.width)
    #expect(none == nil)
    let found = estimator.motion(
      luma: second.span, width: Self.width, height: Self.height, rowStep: Self.width)
    expectEqual(found, motion, within: 0.5)
  }

  @Test func aStandingCameraIsExactlyThat() {
    var estimator = CameraMotionEstimator()
    let pixels = picture(.identity, rowStep: 512)
    for frame in 0..<3 {
      let found = estimator.motion(
        luma: pixels.span, width: Self.width, height: Self.height, rowStep: 512)
      #expect(found == (frame == 0 ? nil : .identity))
    }
  }

  /// A third of the picture moves by itself, and a box says so or not.
  @Test(arguments: [true, false]) func whatMovesByItselfDoesNotMatter(_ isKnown: Bool) {
    let motion = AffineMap.translation(x: 5, y: 2)
    let first = picture(.identity)
    var second = picture(motion)
    let other = picture(.translation(x: -9, y: 7))
    for row in 100..<300 {
      for column in 150..<350 {
        second[row * Self.width + column] = other[row * Self.width + column]
      }
    }
    var estimator = CameraMotionEstimator()
    _ = estimator.motion(
      luma: first.span, width: Self.width, height: Self.height, rowStep: Self.width)
    let boxes = isKnown ? [TrackingBox(left: 150, top: 100, width: 200, height: 200)] : []
    let found = estimator.motion(
      luma: second.span, width: Self.width, height: Self.height, rowStep: Self.width, off: boxes)
    expectEqual(found, motion, within: 0.5)
  }

  @Test func picturesThatTellNothingGiveNothing() {
    var estimator = CameraMotionEstimator()
    let gray = [UInt8](repeating: 128, count: 640 * 480)
    for (width, height) in [(640, 480), (640, 480), (480, 360), (3, 2), (1, 1), (1, 1)] {
      let found = estimator.motion(luma: gray.span, width: width, height: height, rowStep: width)
      #expect(found == nil)
    }
  }
}
