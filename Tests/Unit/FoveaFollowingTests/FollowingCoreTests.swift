// Fovea - tests of the follower's core against direct sums and closed forms.
// SPDX-License-Identifier: Apache-2.0
import CFollowingProbe
import CFoveaFollow
import Foundation
import FoveaTestSupport
import Testing

@Suite struct FollowingCoreTests {
  @Test(arguments: [4, 8, 16, 32, 64]) func transformsEqualDirectSums(_ size: Int) {
    var random = SplitMix(seed: UInt64(size))
    let values = (0..<size * size * 16).map { _ in Float(random.below(2001)) / 1000 - 1 }
    let errors = following_probe_fourier(size, values)
    #expect(errors.forward < 1e-6 * Double(size * size))
    #expect(errors.back < 2e-6)
  }

  @Test func functionsEqualThoseOfTheSystem() {
    for step in -700...700 {
      let x = Double(step) * 0.1
      let (exponential, expected) = (following_probe_exp(Float(x)), exp(Double(Float(x))))
      #expect(abs(Double(exponential) / expected - 1) < 1e-6)
      let positive = Float(exp(x * 0.5))
      let logarithm = Double(following_probe_log(positive))
      #expect(abs(logarithm - log(Double(positive))) < 1e-6 * max(1, abs(x)))
      var (sine, cosine): (Float, Float) = (0, 0)
      following_probe_sine_cosine(x, &sine, &cosine)
      #expect(abs(Double(sine) - sin(x)) < 1e-7 && abs(Double(cosine) - cos(x)) < 1e-7)
    }
  }

  static func sample(
    _ bytes: [UInt8], width: Int, window: fov_follow_box, into size: (Int, Int),
    weights: (Float, Float, Float) = (0, 0, 0), pixelBytes: Int = 1
  ) -> [Float] {
    var out = [Float](repeating: -1, count: size.0 * size.1)
    bytes.withUnsafeBufferPointer {
      var plane = fov_plane(
        bytes: $0.baseAddress, row_bytes: width * pixelBytes, pixel_bytes: pixelBytes, width: width,
        height: bytes.count / width / pixelBytes, weights: weights, bias: 0)
      following_probe_sample(&plane, window, size.0, size.1, &out)
    }
    return out
  }

  /// Each sample of a window that is reduced by a whole number is the mean of its pixels.
  @Test(arguments: [1, 2, 3]) func reducedSamplesAreMeans(_ factor: Int) {
    var random = SplitMix(seed: 5)
    let bytes = (0..<48 * 48).map { _ in UInt8(random.below(256)) }
    let window = fov_follow_box(
      left: 6, top: 3, width: Float(12 * factor), height: Float(8 * factor))
    let samples = Self.sample(bytes, width: 48, window: window, into: (12, 8))
    for row in 0..<8 {
      for column in 0..<12 {
        var sum = 0
        for y in 0..<factor {
          for x in 0..<factor {
            sum += Int(bytes[(3 + row * factor + y) * 48 + 6 + column * factor + x])
          }
        }
        let mean = Float(sum) / Float(factor * factor)
        #expect(abs(samples[row * 12 + column] - mean) < 1e-3)
      }
    }
  }

  /// A slope stays a slope at any magnification, and ends at the plane's edge.
  @Test func enlargedSlopesAreExactAndEndAtTheEdge() {
    let bytes = (0..<20 * 20).map { UInt8(10 * ($0 % 20)) }
    let window = fov_follow_box(left: -5, top: 2, width: 30, height: 5)
    let samples = Self.sample(bytes, width: 20, window: window, into: (120, 4))
    for column in 0..<120 {
      let x = -5 + (Float(column) + 0.5) / 4
      #expect(abs(samples[column] - min(190, max(0, 10 * (x - 0.5)))) < 1e-3)
    }
  }

  /// Windows of thousands of pixels leave pixels out, evenly: the middle of the window stays.
  @Test func largeWindowsKeepTheirPlace() {
    let bytes = (0..<1000 * 4).map { UInt8($0 % 1000 / 4) }
    let window = fov_follow_box(left: 0, top: 0, width: 1000, height: 4)
    let samples = Self.sample(bytes, width: 1000, window: window, into: (32, 4))
    for column in 0..<32 {
      #expect(abs(samples[column] - (Float(column) + 0.5) * 250 / 32) < 1.5)
    }
  }

  @Test func weightedPixelsAreSummed() {
    let bytes: [UInt8] = [10, 20, 30, 40, 50, 60]
    let window = fov_follow_box(left: 0, top: 0, width: 2, height: 1)
    let samples = Self.sample(
      bytes, width: 2, window: window, into: (2, 1), weights: (0.5, 0.25, 0.1), pixelBytes: 3)
    #expect(abs(samples[0] - 13) < 1e-4 && abs(samples[1] - 38.5) < 1e-4)
  }

  static func texture(_ x: Double, _ y: Double) -> Double {
    128 + 40 * sin(x * 0.21 + 0.3) * cos(y * 0.17) + 30 * sin(0.1 * x - 0.13 * y)
      + 20 * cos(0.33 * y + 0.05 * x)
  }

  /// Moved by (1.2, -0.9), stretched to 1.04 x 0.97, turned by 0.05, darker and of less contrast.
  @Test func posesAreRecovered() {
    let side = 96
    let (c, s) = (cos(0.05), sin(0.05))
    var first = [Float](), second = [Float]()
    for row in 0..<side {
      for column in 0..<side {
        let (x, y) = (Double(column) + 0.5 - 48, Double(row) + 0.5 - 48)
        first.append(Float(Self.texture(x, y)))
        let (dx, dy) = (x - 1.2, y + 0.9)
        let value = Self.texture((c * dx + s * dy) / 1.04, (c * dy - s * dx) / 0.97)
        second.append(Float(value * 0.7 + 20))
      }
    }
    let pose = following_probe_align(first, second, side, 30, 40)
    #expect(abs(pose.x - 49.2) < 0.05 && abs(pose.y - 47.1) < 0.05)
    #expect(abs(pose.across - 1.04) < 0.005 && abs(pose.down - 0.97) < 0.005)
    #expect(abs(pose.angle - 0.05) < 0.005)
    #expect(pose.likeness > 0.999)
  }
}
