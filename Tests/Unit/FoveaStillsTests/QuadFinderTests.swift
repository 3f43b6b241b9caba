// Fovea - tests of finding quadrilaterals.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaStills
import FoveaTestSupport
import Testing

@Suite struct QuadFinderTests {
  private let paper = SIMD3(215.0, 210, 200)
  private let tilted = PixelQuad(
    SIMD2(61.3, 40.2), SIMD2(237.8, 58.9), SIMD2(221.4, 190.6), SIMD2(48.1, 176.5))

  @Test func cornersAreExactToATenthOfAPixel() throws {
    var drawn = DrawnQuads(320, 240)
    drawn.fill(tilted, paper)
    let found = try QuadFinder().find(in: try drawn.picture)
    #expect(found.count == 1)
    let first = try #require(found.first)
    #expect(first.quad.cornerError(to: tilted) < 0.1)
    // The order: from the upper left corner, clockwise.
    let shift = first.quad.corners[0] - tilted.corners[0]
    #expect(abs(shift.x) < 0.5 && abs(shift.y) < 0.5)
    #expect(first.quad.area > 0)
    #expect(first.confidence > 0.9)
    let gray = try QuadFinder().find(in: try drawn.picture.gray)
    #expect(try #require(gray.first).quad.cornerError(to: tilted) < 0.1)
  }

  @Test func cornersStayExactInNoiseAndWhenDark() throws {
    var drawn = DrawnQuads(320, 240, ground: SIMD3(200, 200, 200))
    drawn.fill(tilted, SIMD3(120, 125, 130))
    drawn.addNoise(20, seed: 7)
    let found = try QuadFinder().find(in: try drawn.picture)
    #expect(try #require(found.first).quad.cornerError(to: tilted) < 0.4)
  }

  @Test func colorIsEnoughWhereBrightnessIsTheSame() throws {
    // 0.25 R + 0.5 G + 0.25 B is the same of both.
    var drawn = DrawnQuads(320, 240, ground: SIMD3(120, 120, 120))
    drawn.fill(tilted, SIMD3(160, 120, 80))
    let found = try QuadFinder().find(in: try drawn.picture)
    #expect(try #require(found.first).quad.cornerError(to: tilted) < 0.3)
  }

  /// Sines and cosines of turns; sizes of pictures.
  @Test(arguments: [(0.0, 1.0), (0.28, 0.96), (0.6, 0.8), (-0.8, 0.6)])
  func turnsDoNotMatter(sine: Double, cosine: Double) throws {
    let quad = PixelQuad(
      center: SIMD2(150.4, 149.7), width: 160, height: 96, sine: sine, cosine: cosine)
    var drawn = DrawnQuads(300, 300)
    drawn.fill(quad, paper)
    let found = try QuadFinder().find(in: try drawn.picture)
    #expect(found.count == 1)
    #expect(try #require(found.first).quad.cornerError(to: quad) < 0.12)
  }

  @Test(arguments: [0.6, 1.7, 3.0])
  func sizesDoNotMatter(scale: Double) throws {
    let quad = tilted.scaled(by: scale)
    var drawn = DrawnQuads(Int(320 * scale), Int(240 * scale))
    drawn.fill(quad, paper)
    let found = try QuadFinder().find(in: try drawn.picture)
    #expect(found.count == 1)
    #expect(try #require(found.first).quad.cornerError(to: quad) < 0.12)
  }

  @Test func partsOfACheckerboardAreNoThings() throws {
    var drawn = DrawnQuads(320, 240, ground: SIMD3(90, 90, 90))
    for row in 0..<6 {
      for column in 0..<8 where (row + column) % 2 == 0 {
        drawn.fill(
          PixelQuad(x: Double(column) * 40, y: Double(row) * 40, width: 40, height: 40),
          SIMD3(170, 170, 170))
      }
    }
    #expect(try QuadFinder().find(in: try drawn.picture).isEmpty)
    drawn.fill(tilted, SIMD3(230, 120, 40))
    let found = try QuadFinder().find(in: try drawn.picture)
    #expect(found.count == 1)
    #expect(try #require(found.first).quad.cornerError(to: tilted) < 0.5)
  }

  @Test func severalAreFoundAndTheLimitHolds() throws {
    var drawn = DrawnQuads(320, 240)
    let quads = [
      PixelQuad(x: 20.5, y: 18.25, width: 110, height: 80),
      PixelQuad(x: 170.25, y: 52.75, width: 120, height: 90),
      PixelQuad(x: 40.5, y: 150.5, width: 100, height: 70),
    ]
    for quad in quads { drawn.fill(quad, paper) }
    // Sides that go on from one to the next make a fourth, which is less likely.
    let found = try QuadFinder(minimumConfidence: 0.6).find(in: try drawn.picture)
    #expect(found.count == 3)
    for quad in quads { #expect(found.contains { $0.quad.cornerError(to: quad) < 0.15 }) }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.confidence >= $1.confidence })
    let one = try QuadFinder(maximumCount: 1).find(in: try drawn.picture)
    #expect(one == Array(found.prefix(1)))
  }

  @Test(arguments: [(1, 1), (1, 90), (90, 1), (2, 2), (3, 500), (500, 3), (16, 16), (700, 20)])
  func smallPicturesHaveNone(width: Int, height: Int) throws {
    for noise in [0, 100] {
      var drawn = DrawnQuads(width, height, ground: SIMD3(128, 128, 128))
      if noise > 0 { drawn.addNoise(noise, seed: 3) }
      #expect(try QuadFinder().find(in: try drawn.picture).isEmpty)
      #expect(try QuadFinder().find(in: try drawn.picture.gray).isEmpty)
    }
  }

  @Test func noiseHasNone() throws {
    var drawn = DrawnQuads(300, 200, ground: SIMD3(128, 128, 128))
    drawn.addNoise(127, seed: 11)
    #expect(try QuadFinder().find(in: try drawn.picture).isEmpty)
  }

  @Test func pictureThatIsTooWideIsRefused() throws {
    let wide = GrayImage(width: 65_536, height: 1, pixels: [UInt8](repeating: 0, count: 65_536))
    #expect(throws: StillError.self) { try QuadFinder().find(in: wide) }
    let widest = GrayImage(width: 65_535, height: 1, pixels: [UInt8](repeating: 0, count: 65_535))
    #expect(try QuadFinder().find(in: widest).isEmpty)
  }
}
