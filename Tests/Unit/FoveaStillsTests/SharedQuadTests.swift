// Fovea - tests of finding quadrilaterals in pictures whose corners others know.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaStills
import FoveaTestSupport
import FoveaVision
import Foundation
import Testing

/// The pictures of `data/stills/quads`, with exact corners.
struct SharedQuads: Decodable {
  struct Picture: Decodable {
    let image: String
    let quads: [Quad]
  }

  struct Quad: Decodable {
    let corners: [[Double]]
    let seenAspect: Double
    let largestAngleError: Double
    let size: Double

    var pixels: PixelQuad {
      let points = corners.map { SIMD2($0[0], $0[1]) }
      return PixelQuad(points[0], points[1], points[2], points[3])
    }
  }

  let images: [Picture]

  static func load() throws -> SharedQuads {
    try JSONDecoder().decode(
      Self.self, from: Data(contentsOf: SharedData.url("stills/quads.json")))
  }
}

extension SharedQuads.Picture {
  var picture: StillPicture {
    get throws {
      try StillPicture(decoding: ImageFile(bytes: SharedData.bytes("stills/" + image)))
    }
  }
}

extension PixelQuad {
  /// The area that both cover, over the area that any of them covers.
  func overlap(_ other: PixelQuad) -> Double {
    var shape = corners
    for i in 0..<4 {
      let (from, to) = (other.corners[i], other.corners[(i + 1) % 4])
      func side(_ p: SIMD2<Double>) -> Double {
        (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x)
      }
      var kept: [SIMD2<Double>] = []
      for k in shape.indices {
        let (a, b) = (shape[k], shape[(k + 1) % shape.count])
        if side(a) >= 0 { kept.append(a) }
        if side(a) * side(b) < 0 { kept.append(a + (b - a) * (side(a) / (side(a) - side(b)))) }
      }
      shape = kept
    }
    let common = shape.indices.reduce(0) { sum, i in
      let (a, b) = (shape[i], shape[(i + 1) % shape.count])
      return sum + (a.x * b.y - a.y * b.x) / 2
    }
    return common / (area + other.area - common)
  }
}

@Suite(.enabled(if: SharedData.isPresent)) struct SharedQuadTests {
  /// All pictures in the thorough tier, else a third of them.
  @Test func quadrilateralsAreFoundExactly() throws {
    let pictures = try SharedQuads.load().images
    let step = TestTier.isThorough ? 1 : 3
    let chosen = stride(from: 0, to: pictures.count, by: step).map { pictures[$0] }
    var (truths, hits, reports) = (0, 0, 0)
    var errors: [Double] = []
    for picture in chosen {
      let found = try QuadFinder().find(in: picture.picture)
      reports += found.count
      truths += picture.quads.count
      for truth in picture.quads {
        let quad = truth.pixels
        guard let best = found.max(by: { $0.quad.overlap(quad) < $1.quad.overlap(quad) }),
          best.quad.overlap(quad) >= 0.8
        else { continue }
        hits += 1
        errors.append(best.quad.cornerError(to: quad))
      }
    }
    let median = errors.sorted()[errors.count / 2]
    print("quadrilaterals: \(hits) of \(truths), \(reports) reported, corner error \(median)")
    #expect(Double(hits) >= (TestTier.isThorough ? 0.85 : 0.8) * Double(truths))
    #expect(Double(hits) >= 0.6 * Double(reports))
    #expect(median <= 0.3)
  }
}
