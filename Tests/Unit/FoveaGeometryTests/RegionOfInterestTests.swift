// Fovea - tests of points and rectangles in fractions of a region.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaTestSupport
import Testing

@Suite struct RegionOfInterestTests {
  private let size = ImageSize(width: 800, height: 400)
  private let region = NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25)

  @Test func theWholeRegionIsTheRegion() {
    for origin in CoordinateOrigin.allCases {
      #expect(
        NormalizedRect.fullImage.toImageCoordinates(from: region, imageSize: size, origin: origin)
          == region.toImageCoordinates(size, origin: origin))
    }
    #expect(
      NormalizedRect.fullImage.toImageCoordinates(from: region, imageSize: size)
        == ImageRect(x: 200, y: 200, width: 400, height: 100, origin: .lowerLeft))
  }

  @Test func fractionsOfTheRegionScaleAndMove() {
    let rect = NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5)
    #expect(
      rect.toImageCoordinates(from: region, imageSize: size)
        == ImageRect(x: 400, y: 225, width: 100, height: 50, origin: .lowerLeft))
    #expect(
      rect.toImageCoordinates(from: region, imageSize: size, origin: .upperLeft)
        == ImageRect(x: 400, y: 125, width: 100, height: 50, origin: .upperLeft))
    let point = NormalizedPoint(x: 0.5, y: 0.25)
    #expect(
      point.toImageCoordinates(from: region, imageSize: size, origin: .upperLeft)
        == ImagePoint(x: 400, y: 175, origin: .upperLeft))
  }

  @Test func pixelsComeBackWhateverTheirOrigin() {
    let rect = NormalizedRect(x: 0.5, y: 0.25, width: 0.25, height: 0.5)
    let point = NormalizedPoint(x: 0.75, y: -0.5)
    for origin in CoordinateOrigin.allCases {
      let pixels = rect.toImageCoordinates(from: region, imageSize: size, origin: origin)
      #expect(NormalizedRect(imageRect: pixels, in: size, normalizedTo: region) == rect)
      let place = point.toImageCoordinates(from: region, imageSize: size, origin: origin)
      #expect(NormalizedPoint(imagePoint: place, in: size, normalizedTo: region) == point)
    }
  }

  @Test func theWholeImageIsNoRegion() {
    let pixels = ImageRect(x: 100, y: 50, width: 300, height: 200, origin: .upperLeft)
    #expect(
      NormalizedRect(imageRect: pixels, in: size, normalizedTo: .fullImage)
        == NormalizedRect(imageRect: pixels, in: size))
  }

  @Test func aRegionWithoutAreaGivesZero() {
    let empty = NormalizedRect(x: 0.5, y: 0.5, width: 0, height: 0)
    let pixels = ImageRect(x: 100, y: 50, width: 300, height: 200, origin: .upperLeft)
    #expect(
      NormalizedRect(imageRect: pixels, in: size, normalizedTo: empty)
        == NormalizedRect(x: 0, y: 0, width: 0, height: 0))
  }

  /// A network that fills its input from a region puts out fractions of that region.
  @Test func agreesWithTheGeometryOfARegion() throws {
    var generator = SplitMix(seed: 41)
    for _ in 0..<200 {
      let (region, box) = (generator.region(), generator.region())
      let geometry = try ImageGeometry(
        storedSize: size, regionOfInterest: region, modelSize: ImageSize(width: 416, height: 352))
      let upright = geometry.convert(box, from: .model, to: .upright)
      #expect(
        distance(
          box.toImageCoordinates(from: region, imageSize: size), upright.toImageCoordinates(size))
          < 1e-9)
    }
  }

  @Test func originZeroAndDescriptions() {
    #expect(region.origin == NormalizedPoint(x: 0.25, y: 0.5))
    #expect(NormalizedPoint.zero == NormalizedRect.fullImage.origin)
    #expect("\(region)" == "x 0.25, y 0.5, width 0.5, height 0.25")
    #expect("\(NormalizedPoint(x: 0.25, y: 1))" == "x 0.25, y 1.0")
  }
}
