// Fovea - pictures of quadrilaterals whose corners are known exactly.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaStills
import FoveaTestSupport

/// A picture that is drawn from filled quadrilaterals.
struct DrawnQuads {
  let width: Int
  let height: Int
  /// Red, green, blue of every pixel.
  private(set) var rgb: [UInt8]

  init(_ width: Int, _ height: Int, ground: SIMD3<Double> = SIMD3(60, 70, 80)) {
    (self.width, self.height) = (width, height)
    rgb = []
    rgb.reserveCapacity(width * height * 3)
    for _ in 0..<width * height {
      for channel in 0..<3 { rgb.append(UInt8(ground[channel])) }
    }
  }

  var picture: StillPicture {
    get throws { StillPicture(try Image(width: width, height: height, rgb: rgb)) }
  }

  /// Fills a quadrilateral. Pixels that its sides cross are the mean of 8 x 8 samples of light.
  mutating func fill(_ quad: PixelQuad, _ color: SIMD3<Double>) {
    let sides = (0..<4).map { i in
      let (a, b) = (quad.corners[i], quad.corners[(i + 1) % 4])
      let along = (b - a) / quad.sides[i]
      return (normal: SIMD2(-along.y, along.x), offset: -along.y * a.x + along.x * a.y)
    }
    // How far a point lies inside, in pixels.
    func depth(_ x: Double, _ y: Double) -> Double {
      sides.reduce(.infinity) { min($0, $1.normal.x * x + $1.normal.y * y - $1.offset) }
    }
    let (xs, ys) = (quad.corners.map(\.x), quad.corners.map(\.y))
    func range(_ values: [Double], _ count: Int) -> Range<Int> {
      let first = max(0, Int(values.min()!) - 2)
      return first..<max(first, min(count, Int(values.max()!) + 2))
    }
    for y in range(ys, height) {
      for x in range(xs, width) {
        let middle = depth(Double(x) + 0.5, Double(y) + 0.5)
        guard middle > -1 else { continue }
        var share = 1.0
        if middle < 1 {
          var hits = 0
          for i in 0..<64 {
            let (u, v) = (Double(i % 8) * 0.125 + 0.0625, Double(i / 8) * 0.125 + 0.0625)
            if depth(Double(x) + u, Double(y) + v) >= 0 { hits += 1 }
          }
          share = Double(hits) / 64
        }
        for channel in 0..<3 {
          let at = (y * width + x) * 3 + channel
          // Light is mixed, not levels.
          let (old, new) = (Double(rgb[at]), color[channel])
          let light = old * old * (1 - share) + new * new * share
          rgb[at] = UInt8(light.squareRoot().rounded())
        }
      }
    }
  }

  /// Adds noise of at most `size` levels.
  mutating func addNoise(_ size: Int, seed: UInt64) {
    var random = SplitMix(seed: seed)
    for at in rgb.indices {
      let level = Int(rgb[at]) + Int.random(in: -size...size, using: &random)
      rgb[at] = UInt8(min(255, max(0, level)))
    }
  }
}

extension PixelQuad {
  /// The mean distance of corners, in the order of corners in which it is least.
  func cornerError(to other: PixelQuad) -> Double {
    (0..<4).map { turn in
      let turned = other.startingAt(turn)
      return zip(corners, turned.corners).reduce(0) { sum, pair in
        let d = pair.0 - pair.1
        return sum + (d * d).sum().squareRoot() / 4
      }
    }.min() ?? .infinity
  }

  /// A rectangle around a center, turned clockwise.
  init(center: SIMD2<Double>, width: Double, height: Double, sine: Double, cosine: Double) {
    func corner(_ x: Double, _ y: Double) -> SIMD2<Double> {
      SIMD2(center.x + x * cosine - y * sine, center.y + x * sine + y * cosine)
    }
    self.init(
      corner(-width / 2, -height / 2), corner(width / 2, -height / 2),
      corner(width / 2, height / 2), corner(-width / 2, height / 2))
  }
}
