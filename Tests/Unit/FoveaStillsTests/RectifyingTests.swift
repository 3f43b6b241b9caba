// Fovea - tests of pictures cut out of quadrilaterals.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaImaging
import FoveaStills
import Testing

@Suite struct RectifyingTests {
  /// A picture whose gray level is a linear function of the place: bilinear samples are exact.
  private func ramp(_ width: Int, _ height: Int) throws -> StillPicture {
    var pixels: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width {
        let level = UInt8(2 * column + row)
        pixels += [level, level, level]
      }
    }
    return StillPicture(try Image(width: width, height: height, rgb: pixels))
  }

  @Test func perspectiveMapSendsCornersToCorners() throws {
    let corners = [SIMD2(10.0, 12), SIMD2(80.0, 20), SIMD2(70.0, 65), SIMD2(5.0, 50)]
    let map = try #require(PerspectiveMap(rectangle: 40, 30, to: corners))
    let rectangle = [SIMD2(0.0, 0), SIMD2(40.0, 0), SIMD2(40.0, 30), SIMD2(0.0, 30)]
    let inverse = try #require(map.inverse)
    for (from, to) in zip(rectangle, corners) {
      #expect(abs((map(from) - to).x) < 1e-9 && abs((map(from) - to).y) < 1e-9)
      let back = inverse.after(map)(from)
      #expect(abs((back - from).x) < 1e-9 && abs((back - from).y) < 1e-9)
    }
    #expect(
      PerspectiveMap(rectangle: 1, 1, to: [corners[0], corners[2], corners[1], corners[3]]) == nil)
    #expect(
      PerspectiveMap(rectangle: 1, 1, to: [corners[0], corners[0], corners[1], corners[2]]) == nil)
  }

  @Test func wholePictureStaysAsItIs() throws {
    let picture = try ramp(32, 24)
    let whole = PixelQuad(x: 0, y: 0, width: 32, height: 24)
    #expect(picture.rectified(whole, width: 32, height: 24) == picture.image)
    #expect(picture.rectifiedGray(whole, width: 32, height: 24) == picture.gray)
  }

  @Test func turnedCornersTurnThePicture() throws {
    let picture = try ramp(32, 24)
    let quad = PixelQuad(x: 0, y: 0, width: 32, height: 24).startingAt(1)
    let turned = try #require(picture.rectifiedGray(quad, width: 24, height: 32))
    for row in 0..<32 {
      for column in 0..<24 {
        #expect(turned.pixels[row * 24 + column] == picture.gray.pixels[column * 32 + 31 - row])
      }
    }
  }

  @Test func perspectiveFollowsTheMap() throws {
    let picture = try ramp(96, 60)
    let quad = PixelQuad(SIMD2(10, 12), SIMD2(80, 20), SIMD2(70, 55), SIMD2(5, 50))
    let map = try #require(PerspectiveMap(rectangle: 70, 40, to: quad.corners))
    let found = try #require(picture.rectifiedGray(quad, width: 70, height: 40))
    for row in 0..<40 {
      for column in 0..<70 {
        let at = map(SIMD2(Double(column) + 0.5, Double(row) + 0.5))
        let expected = 2 * (at.x - 0.5) + at.y - 0.5
        #expect(abs(Double(found.pixels[row * 70 + column]) - expected) <= 0.51)
      }
    }
  }

  @Test func partsLieInTheFullImage() throws {
    let picture = try ramp(40, 20)
    let part = try picture.part(NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5))
    #expect(part.width == 10 && part.height == 10)
    #expect(part.gray.pixels[0] == picture.gray.pixels[5 * 40 + 20])
    let box = part.quadrilateral(PixelQuad(x: 0, y: 0, width: 10, height: 10)).boundingBox
    #expect(box == NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5))
    #expect(throws: StillError.self) {
      try picture.part(NormalizedRect(x: 0.5, y: 0, width: 0.75, height: 1))
    }
  }
}
