// Fovea - tests of the requests on rectangles and documents.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaImaging
import FoveaStills
import FoveaTestSupport
import FoveaVision
import Testing

@Suite struct RectangleRequestTests {
  private let paper = SIMD3(215.0, 210, 200)

  private func picture(_ quads: PixelQuad..., width: Int = 320, height: Int = 240) throws
    -> StillPicture
  {
    var drawn = DrawnQuads(width, height)
    for quad in quads { drawn.fill(quad, paper) }
    return try drawn.picture
  }

  private let large = PixelQuad(x: 20.5, y: 18.25, width: 130, height: 80)
  private let small = PixelQuad(x: 200.25, y: 122.75, width: 40, height: 40)

  @Test func defaultsAreThoseOfVision() throws {
    let request = DetectRectanglesRequest()
    #expect(request.minimumAspectRatio == 0.5 && request.maximumAspectRatio == 1)
    #expect(request.quadratureToleranceDegrees == 30 && request.minimumSize == 0.2)
    #expect(request.minimumConfidence == 0 && request.maximumObservations == 1)
    let found = try request.result(in: picture(large, small))
    #expect(found.count == 1)
    let first = try #require(found.first)
    #expect(abs(first.topLeft.x - 20.5 / 320) < 1e-3)
    #expect(abs(first.topLeft.y - (1 - 18.25 / 240)) < 1e-3)
    #expect(abs(first.boundingBox.width - 130.0 / 320) < 2e-3)
  }

  @Test func sizesAspectsAnglesAndConfidencesAreLimits() throws {
    let both = try picture(large, small)
    var request = DetectRectanglesRequest()
    request.maximumObservations = 0
    request.minimumConfidence = 0.9
    // 40 of 240 pixels, and 80 of 240.
    request.minimumSize = 0.16
    #expect(try request.result(in: both).count == 2)
    request.minimumSize = 0.17
    #expect(try request.result(in: both).count == 1)
    request.minimumSize = 0.34
    #expect(try request.result(in: both).isEmpty)
    request.minimumSize = 0.1
    // 80 / 130 = 0.615, and 1.
    request.maximumAspectRatio = 0.62
    #expect(try request.result(in: both).count == 1)
    request.maximumAspectRatio = 0.61
    #expect(try request.result(in: both).isEmpty)
    request.maximumAspectRatio = 1
    request.minimumAspectRatio = 0.62
    #expect(try request.result(in: both).count == 1)
    request.minimumAspectRatio = 0
    request.minimumConfidence = 1
    #expect(try request.result(in: both).isEmpty)
    // A corner that differs by atan(30 / 100) = 16.7 degrees.
    let slanted = try picture(
      PixelQuad(SIMD2(60, 60), SIMD2(200, 60), SIMD2(230, 160), SIMD2(60, 160)))
    request.minimumConfidence = 0
    request.maximumObservations = 1
    request.quadratureToleranceDegrees = 17
    #expect(try request.result(in: slanted).count == 1)
    request.quadratureToleranceDegrees = 16
    #expect(try request.result(in: slanted).isEmpty)
  }

  @Test func regionLimitsWhatIsSeen() throws {
    var request = DetectRectanglesRequest()
    request.regionOfInterest = NormalizedRect(x: 0.55, y: 0.25, width: 0.3, height: 0.35)
    let found = try request.result(in: picture(large, small))
    let first = try #require(found.first)
    #expect(found.count == 1)
    #expect(abs(first.topLeft.x * 320 - 200.25) < 0.2)
    #expect(abs((1 - first.topLeft.y) * 240 - 122.75) < 0.2)
  }

  @Test func whatIsOutOfRangeIsRefused() throws {
    let picture = try picture(large)
    let changes: [(inout DetectRectanglesRequest) -> Void] = [
      { $0.minimumSize = -0.1 }, { $0.minimumSize = .nan }, { $0.minimumAspectRatio = 1.5 },
      { $0.maximumAspectRatio = -1 }, { $0.maximumAspectRatio = 0.4 },
      { $0.quadratureToleranceDegrees = 46 }, { $0.minimumConfidence = 2 },
      { $0.maximumObservations = -1 },
      { $0.regionOfInterest = NormalizedRect(x: 0.5, y: 0.5, width: 0, height: 0.1) },
    ]
    for change in changes {
      var request = DetectRectanglesRequest()
      change(&request)
      #expect(throws: StillError.self) { try request.result(in: picture) }
    }
  }

  /// A sheet of a given ratio, photographed by a camera of known focal length.
  private func photographed(ratio: Double, focal: Double, pitch: Double, yaw: Double) -> PixelQuad {
    let corners = [(-ratio, -1.0), (ratio, -1.0), (ratio, 1.0), (-ratio, 1.0)].map { x, y in
      // Turned around the vertical axis, then around the horizontal one; sines are given.
      let (cy, cp) = ((1 - yaw * yaw).squareRoot(), (1 - pitch * pitch).squareRoot())
      let (x1, z1) = (x * cy, -x * yaw)
      let (y2, z2) = (y * cp - z1 * pitch, y * pitch + z1 * cp)
      let scale = focal * 320 / (z2 + 6)
      return SIMD2(160 + x1 * scale, 120 + y2 * scale)
    }
    return PixelQuad(corners[0], corners[1], corners[2], corners[3])
  }

  @Test(arguments: [0.7071, 1.0, 1.586], [(0.4, 0.3), (0.3, -0.5), (0.0, 0.0), (0.35, 0.0)])
  func sizeHasTheRatioOfTheThing(ratio: Double, turn: (Double, Double)) throws {
    let quad = photographed(ratio: ratio, focal: 1.2, pitch: turn.0, yaw: turn.1)
    let size = RectifiedSize(of: quad, in: try picture(large))
    #expect(abs(size.width / size.height / ratio - 1) < 0.01)
    #expect(size.width >= min(quad.sides[0], quad.sides[2]))
    #expect(size.fitted(width: 500, height: nil).width == 500)
    #expect(abs(Double(size.fitted(width: 500, height: nil).height) - 500 / ratio) < 6)
    #expect(size.fitted(width: 7, height: 9) == (7, 9))
  }

  @Test func imageOfARectangleIsWhatLiesInIt() throws {
    let whole = try picture(large)
    let found = try #require(try DetectRectanglesRequest().result(in: whole).first)
    let image = try found.image(of: whole.image)
    #expect(image.width == 130 && image.height == 80)
    // All but the outermost pixels are paper.
    for y in 1..<79 {
      for x in 1..<129 { #expect(image.rgb[(y * 130 + x) * 3] == 215) }
    }
    #expect(try found.image(of: whole.image, width: 26).height == 16)
    #expect(throws: StillError.self) { try found.image(of: whole.image, width: 0) }
    let crossed = RectangleObservation(
      topLeft: found.topLeft, topRight: found.bottomLeft, bottomRight: found.topRight,
      bottomLeft: found.bottomRight)
    #expect(throws: StillError.self) { try crossed.image(of: whole.image) }
  }

  @Test func documentIsTheLargeSheet() throws {
    let sheet = PixelQuad(SIMD2(61, 40), SIMD2(238, 58), SIMD2(221, 200), SIMD2(48, 186))
    let document = try #require(
      try DetectDocumentSegmentationRequest().result(in: picture(sheet, small)))
    let found = try picture(sheet).pixels(of: document)
    #expect(found.cornerError(to: sheet) < 0.3)
    let mask = document.segmentationMask(width: 32, height: 24)
    #expect(mask.count == 32 * 24)
    #expect(abs(Double(mask.reduce(0, +)) * 100 - sheet.area) < 0.01 * sheet.area)
    #expect(mask[0] == 0 && mask[12 * 32 + 14] == 1)
    var empty = DrawnQuads(320, 240)
    empty.addNoise(3, seed: 1)
    #expect(try DetectDocumentSegmentationRequest().result(in: empty.picture) == nil)
  }
}
