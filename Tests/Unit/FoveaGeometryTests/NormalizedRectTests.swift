// Fovea - tests of normalized points and rectangles.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import Foundation
import Testing

@Suite struct NormalizedRectTests {
  let size = ImageSize(width: 640, height: 480)

  @Test func fullImageTracesTheBorder() {
    for origin in CoordinateOrigin.allCases {
      let rect = NormalizedRect.fullImage.toImageCoordinates(size, origin: origin)
      #expect(rect == ImageRect(x: 0, y: 0, width: 640, height: 480, origin: origin))
    }
  }

  @Test func defaultOriginIsLowerLeft() {
    let rect = NormalizedRect(x: 0.25, y: 0.5, width: 0.25, height: 0.125)
    #expect(
      rect.toImageCoordinates(size)
        == ImageRect(x: 160, y: 240, width: 160, height: 60, origin: .lowerLeft))
  }

  @Test func upperLeftIsOneMinusYMinusHeight() {
    let rect = NormalizedRect(x: 0.25, y: 0.5, width: 0.25, height: 0.125)
    #expect(
      rect.toImageCoordinates(size, origin: .upperLeft)
        == ImageRect(x: 160, y: 180, width: 160, height: 60, origin: .upperLeft))
    #expect(
      rect.verticallyFlipped() == NormalizedRect(x: 0.25, y: 0.375, width: 0.25, height: 0.125))
    #expect(rect.verticallyFlipped().verticallyFlipped() == rect)
  }

  @Test func quartersFallOnTheQuarters() {
    for (x, y, top) in [(0.0, 0.0, 240.0), (0, 0.5, 0), (0.5, 0, 240), (0.5, 0.5, 0)] {
      let rect = NormalizedRect(x: x, y: y, width: 0.5, height: 0.5)
        .toImageCoordinates(size, origin: .upperLeft)
      #expect(rect == ImageRect(x: x * 640, y: top, width: 320, height: 240, origin: .upperLeft))
    }
  }

  @Test func pixelsAndFractionsAreInverse() {
    let rect = NormalizedRect(x: -0.5, y: 0.125, width: 2, height: 0.0625)
    for origin in CoordinateOrigin.allCases {
      let pixels = rect.toImageCoordinates(size, origin: origin)
      #expect(NormalizedRect(imageRect: pixels, in: size) == rect)
      let point = NormalizedPoint(x: 0.25, y: 0.75)
      let there = point.toImageCoordinates(size, origin: origin)
      #expect(there.y == (origin == .lowerLeft ? 360 : 120))
      #expect(NormalizedPoint(imagePoint: there, in: size) == point)
    }
  }

  @Test func edgesCenterAndArea() {
    let rect = NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
    #expect([rect.minX, rect.midX, rect.maxX] == [0.25, 0.5, 0.75])
    #expect([rect.minY, rect.midY, rect.maxY] == [0.5, 0.625, 0.75])
    #expect(rect.area == 0.125)
    #expect(rect.center == NormalizedPoint(x: 0.5, y: 0.625))
    #expect(rect.center.verticallyFlipped() == NormalizedPoint(x: 0.5, y: 0.375))
  }

  @Test func clampedStaysInside() {
    let over = NormalizedRect(x: -0.25, y: 0.75, width: 0.5, height: 1)
    #expect(over.clamped == NormalizedRect(x: 0, y: 0.75, width: 0.25, height: 0.25))
    let beside = NormalizedRect(x: 2, y: -3, width: 1, height: 1)
    #expect(beside.clamped == NormalizedRect(x: 1, y: 0, width: 0, height: 0))
    let negative = NormalizedRect(x: 0.5, y: 0.5, width: -0.25, height: 0.25)
    #expect(negative.clamped.width == 0)
    let wild = NormalizedRect(x: .nan, y: -.infinity, width: 1, height: .infinity).clamped
    #expect(wild == NormalizedRect(x: 0, y: 0, width: 0, height: 0))
  }

  @Test func anImageWithoutPixelsGivesZero() {
    let rect = ImageRect(x: 3, y: 4, width: 5, height: 6, origin: .upperLeft)
    let fractions = NormalizedRect(imageRect: rect, in: ImageSize(width: 0, height: 0))
    #expect(fractions == NormalizedRect(x: 0, y: 0, width: 0, height: 0))
    #expect(ImageSize(width: 0, height: 5).isEmpty && !size.isEmpty)
    #expect("\(size)" == "640 x 480")
  }

  @Test func detectorBoxesEnterFromTheTop() {
    let box = CenterBox(centerX: 0.5, centerY: 0.25, width: 0.5, height: 0.25)
    let rect = NormalizedRect(CornerBox(box), origin: .upperLeft)
    #expect(rect == NormalizedRect(x: 0.25, y: 0.625, width: 0.5, height: 0.25))
    #expect(NormalizedRect(CornerBox(box), origin: .lowerLeft).y == 0.125)
    for origin in CoordinateOrigin.allCases {
      #expect(NormalizedRect(CornerBox(rect, origin: origin), origin: origin) == rect)
    }
  }

  @Test func codableByName() throws {
    let rect = NormalizedRect(x: 0.25, y: 0.5, width: 0.125, height: 1)
    let data = try JSONEncoder().encode(rect)
    #expect(try JSONDecoder().decode(NormalizedRect.self, from: data) == rect)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Double])
    #expect(object == ["x": 0.25, "y": 0.5, "width": 0.125, "height": 1])
  }
}
