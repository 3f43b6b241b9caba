// Fovea - tests of geometry on the documents' examples, its errors and its coding.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import Foundation
import Testing

@Suite struct ImageGeometryTests {
  static func geometry(
    _ width: Int, _ height: Int, into modelWidth: Int, _ modelHeight: Int,
    _ action: ImageCropAndScaleAction, anchor: PaddingAnchor = .centered,
    region: NormalizedRect = .fullImage, orientation: ImageOrientation = .up
  ) throws -> ImageGeometry {
    try ImageGeometry(
      storedSize: ImageSize(width: width, height: height), orientation: orientation,
      regionOfInterest: region, cropAndScaleAction: action, paddingAnchor: anchor,
      modelSize: ImageSize(width: modelWidth, height: modelHeight))
  }

  private func pixels(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ImageRect {
    ImageRect(x: x, y: y, width: width, height: height, origin: .upperLeft)
  }

  // MARK: Worked examples

  @Test func centerCropIntoASquare() throws {
    let geometry = try Self.geometry(1920, 1080, into: 416, 416, .centerCrop)
    #expect(geometry.cropRect == pixels(420, 0, 1080, 1080))
    #expect(geometry.padding == .none)
    let seen = geometry.convert(NormalizedRect.fullImage, from: .model, to: .upright)
    #expect(seen == NormalizedRect(x: 0.21875, y: 0, width: 0.5625, height: 1))
    #expect(seen.maxX == 0.78125)
    let map = geometry.normalizedMap(from: .model, to: .upright)
    #expect(map == AffineMap(a: 0.5625, b: 0, c: 0, d: 1, tx: 0.21875, ty: 0))
    let sampling = try geometry.sampling()
    #expect(sampling.sourceColumns == 420..<1500 && sampling.sourceRows == 0..<1080)
    #expect(sampling.contentColumns == 0..<416 && sampling.contentRows == 0..<416)
  }

  @Test func centerCropOfAPortrait() throws {
    let geometry = try Self.geometry(1080, 1920, into: 416, 416, .centerCrop)
    let map = geometry.normalizedMap(from: .model, to: .upright)
    #expect(map == AffineMap(a: 1, b: 0, c: 0, d: 0.5625, tx: 0, ty: 0.21875))
  }

  @Test func centerCropIntoThreeHalves() throws {
    let geometry = try Self.geometry(1920, 1080, into: 384, 256, .centerCrop)
    // 1080 becomes 256 and 1920 becomes 455.11; 35.55 columns of the input's scale are cut off at
    // each end, and no half of them is rounded away.
    #expect(geometry.cropRect == pixels(150, 0, 1620, 1080))
    let map = geometry.normalizedMap(from: .model, to: .upright)
    #expect(map == AffineMap(a: 0.84375, b: 0, c: 0, d: 1, tx: 0.078125, ty: 0))
    let seen = geometry.convert(NormalizedRect.fullImage, from: .model, to: .upright)
    #expect(seen.minX == 0.078125 && seen.maxX == 0.921875)
    let whole = geometry.convert(pixels(0, 0, 1920, 1080), from: .upright, to: .model)
    #expect(abs(whole.width - 1920 * 256 / 1080) < 1e-12)
    #expect(abs(whole.x + (1920 * 256 / 1080 - 384) / 2) < 1e-12)
  }

  @Test func scaleToFitLeavesFortyRows() throws {
    let centered = try Self.geometry(1920, 1080, into: 384, 256, .scaleToFit)
    #expect(centered.contentRect == pixels(0, 20, 384, 216))
    #expect(centered.padding == ImagePadding(top: 20, left: 0, bottom: 20, right: 0))
    #expect(centered.contentRows == 20..<236 && centered.contentColumns == 0..<384)
    let map = centered.normalizedMap(from: .model, to: .upright, origin: .upperLeft)
    #expect(map.a == 1 && map.tx == 0)
    #expect(map.d == 256.0 / 216 && abs(map.d - 1.18519) < 5e-6)
    #expect(map.ty == -20.0 / 216 && abs(map.ty + 0.09259) < 5e-6)

    let anchored = try Self.geometry(
      1920, 1080, into: 384, 256, .scaleToFit, anchor: .upperLeft)
    #expect(anchored.padding == ImagePadding(top: 0, left: 0, bottom: 40, right: 0))
    #expect(anchored.contentRows == 0..<216)
    let top = anchored.normalizedMap(from: .model, to: .upright, origin: .upperLeft)
    #expect(top == AffineMap(a: 1, b: 0, c: 0, d: 256.0 / 216, tx: 0, ty: 0))
  }

  @Test func scaleToFitLeavesEightRows() throws {
    let centered = try Self.geometry(1920, 1080, into: 384, 224, .scaleToFit)
    #expect(centered.padding == ImagePadding(top: 4, left: 0, bottom: 4, right: 0))
    #expect(centered.contentRows == 4..<220)
    let anchored = try Self.geometry(
      1920, 1080, into: 384, 224, .scaleToFit, anchor: .upperLeft)
    #expect(anchored.contentRows == 0..<216)
  }

  @Test func scaleToFillIsTheIdentityInFractions() throws {
    for (width, height) in [(1920, 1080), (1, 1), (97, 16381), (49, 7)] {
      let geometry = try Self.geometry(width, height, into: 416, 352, .scaleToFill)
      #expect(geometry.normalizedMap(from: .model, to: .upright) == .identity)
      let box = NormalizedRect(x: 0.1, y: 0.7, width: 0.3, height: 1.0 / 3)
      #expect(geometry.convert(box, from: .model, to: .upright) == box)
    }
  }

  @Test func regionOffsetsAreAdded() throws {
    let region = NormalizedRect(x: 0.25, y: 0.125, width: 0.5, height: 0.75)
    let geometry = try Self.geometry(1024, 512, into: 416, 416, .scaleToFill, region: region)
    let box = NormalizedRect(x: 0.5, y: 0.25, width: 0.125, height: 0.5)
    let expected = NormalizedRect(
      x: box.x * region.width + region.x, y: box.y * region.height + region.y,
      width: box.width * region.width, height: box.height * region.height)
    #expect(geometry.convert(box, from: .model, to: .upright) == expected)
    // From the top the region begins at 1 - 0.125 - 0.75 = 0.125 of the height.
    #expect(geometry.regionRect == pixels(256, 64, 512, 384))
    #expect(geometry.cropRect == geometry.regionRect)
  }

  @Test func aQuarterTurnPutsTheRightEdgeOnTop() throws {
    let geometry = try Self.geometry(
      1920, 1080, into: 270, 480, .scaleToFillPlus90CCWRotation)
    let upright = geometry.map(from: .model, to: .upright)
    #expect(upright(x: 0, y: 0) == (1920, 0))
    #expect(upright(x: 270, y: 0) == (1920, 1080))
    #expect(upright(x: 0, y: 480) == (0, 0))
    #expect(upright == AffineMap(a: 0, b: -4, c: 4, d: 0, tx: 1920, ty: 0))
    #expect(geometry.cropRect == pixels(0, 0, 1920, 1080))
    // The turned image is 1080 x 1920: in a square it leaves columns free, not rows.
    let fit = try Self.geometry(1920, 1080, into: 416, 416, .scaleToFitPlus90CCWRotation)
    #expect(fit.padding == ImagePadding(top: 0, left: 91, bottom: 0, right: 91))
    #expect(fit.contentColumns == 91..<325 && fit.contentRows == 0..<416)
  }

  // MARK: Errors

  @Test func sizesWithoutPixelsAreRefused() {
    for (width, height) in [(0, 5), (5, 0), (-1, 5), (5, Int.min), (Int.max, 5), (1 << 31, 1)] {
      let size = ImageSize(width: width, height: height)
      let good = ImageSize(width: 8, height: 8)
      #expect(throws: GeometryError.invalidImageSize(size)) {
        try ImageGeometry(storedSize: size, modelSize: good)
      }
      #expect(throws: GeometryError.invalidModelSize(size)) {
        try ImageGeometry(storedSize: good, modelSize: size)
      }
    }
  }

  @Test func regionsThatAreEmptyOrLeaveTheImageAreRefused() {
    let numbers: [(Double, Double, Double, Double)] = [
      (0, 0, 0, 1), (0, 0, 1, 0), (0.5, 0.5, -0.25, 0.25), (0, 0, 1e-6, 1), (-0.1, 0, 0.5, 0.5),
      (0, -0.1, 0.5, 0.5), (0.6, 0, 0.5, 0.5), (0, 0.6, 0.5, 0.5), (0, 0, 1.00001, 1),
      (2, 2, 0.5, 0.5), (.nan, 0, 1, 1), (0, .nan, 1, 1), (0, 0, .nan, 1), (0, 0, 1, .nan),
      (0, 0, .infinity, 1), (-.infinity, 0, .infinity, 1),
    ]
    for (x, y, width, height) in numbers {
      let region = NormalizedRect(x: x, y: y, width: width, height: height)
      let error = #expect(throws: GeometryError.self) {
        try Self.geometry(8, 8, into: 8, 8, .scaleToFill, region: region)
      }
      guard case .invalidRegion(let found) = error else {
        Issue.record("\(region) gives \(String(describing: error))")
        continue
      }
      #expect("\(found)" == "\(region)")
    }
  }

  @Test func regionsFromFloatsAndPixelsMayEndAtTheEdge() throws {
    for tenth in 1..<10 {
      let start = Double(Float(tenth) / 10)
      let rest = Double(Float(10 - tenth) / 10)
      let region = NormalizedRect(x: start, y: start, width: rest, height: rest)
      let geometry = try Self.geometry(1000, 500, into: 8, 8, .scaleToFill, region: region)
      #expect(geometry.regionRect.maxX <= 1000 && geometry.regionRect.minY >= 0)
      #expect(
        distance(
          geometry.regionRect,
          region.toImageCoordinates(
            ImageSize(width: 1000, height: 500), origin: .upperLeft)) < 1e-3)
    }
    let outside = NormalizedRect(x: -1e-7, y: -1e-7, width: 1 + 2e-7, height: 1 + 2e-7)
    let geometry = try Self.geometry(1000, 500, into: 8, 8, .scaleToFill, region: outside)
    #expect(geometry.regionRect == pixels(0, 0, 1000, 500))
    #expect(geometry.regionOfInterest == outside)
  }

  @Test func errorsSayWhatWasFound() {
    let region = NormalizedRect(x: 0.5, y: 0, width: 0.75, height: 1)
    #expect("\(GeometryError.invalidRegion(region))".contains("x 0.5, y 0.0, width 0.75"))
    let size = ImageSize(width: 0, height: 3)
    #expect("\(GeometryError.invalidImageSize(size))".contains("0 x 3"))
    #expect("\(GeometryError.invalidModelSize(size))".contains("1...2147483647"))
    #expect("\(GeometryError.invalidDecodedSize(size, stored: size))".contains("0 x 3"))
    let view = GeometryError.invalidViewSize(width: 0, height: 3)
    #expect("\(view)".contains("0.0 x 3.0 points"))
  }

  // MARK: Coding

  @Test func codingKeepsTheSixFactsAndChecksThem() throws {
    let geometry = try Self.geometry(
      480, 640, into: 416, 352, .scaleToFit, anchor: .upperLeft,
      region: NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.5), orientation: .right)
    let data = try JSONEncoder().encode(geometry)
    #expect(try JSONDecoder().decode(ImageGeometry.self, from: data) == geometry)
    let text = try #require(String(bytes: data, encoding: .utf8))
    #expect(text.contains("\"scaleToFit\"") && text.contains("\"upperLeft\""))
    let damaged = text.replacingOccurrences(of: "\"x\":0.25", with: "\"x\":0.75")
    #expect(damaged != text)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ImageGeometry.self, from: Data(damaged.utf8))
    }
  }

  @Test func rawValuesAreVisionsNames() {
    #expect(
      ImageCropAndScaleAction.allCases.map(\.rawValue).sorted() == [
        "centerCrop", "scaleToFill", "scaleToFillPlus90CCWRotation", "scaleToFit",
        "scaleToFitPlus90CCWRotation",
      ])
  }
}
