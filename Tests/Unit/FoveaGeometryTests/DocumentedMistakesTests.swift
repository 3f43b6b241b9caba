// Fovea - tests that mistakes of well-known articles are not made.
// SPDX-License-Identifier: Apache-2.0
import FoveaDisplay
import FoveaGeometry
import Testing

/// The numbers M1 to M5 of the project's list of mistakes: each test fails for the mistake.
@Suite struct DocumentedMistakesTests {
  private func geometry(
    _ width: Int, _ height: Int, into model: ImageSize, _ action: ImageCropAndScaleAction,
    anchor: PaddingAnchor = .centered
  ) throws -> ImageGeometry {
    try ImageGeometry(
      storedSize: ImageSize(width: width, height: height), cropAndScaleAction: action,
      paddingAnchor: anchor, modelSize: model)
  }

  /// M1: y of a padded input is **divided** by 216/256 on the way back, not multiplied.
  @Test func paddingIsDividedAway() throws {
    let geometry = try geometry(
      1920, 1080, into: ImageSize(width: 384, height: 256), .scaleToFit, anchor: .upperLeft)
    let content = CornerBox(minX: 0, minY: 0, maxX: 1, maxY: 0.84375)
    let map = geometry.normalizedMap(from: .model, to: .upright, origin: .upperLeft)
    #expect(map(content) == CornerBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
    let box = CornerBox(minX: 0, minY: 0.25, maxX: 1, maxY: 0.5)
    #expect(abs(map(box).height - 0.25 / 0.84375) < 1e-15)
    let whole = geometry.convert(
      NormalizedRect(content, origin: .upperLeft), from: .model, to: .upright)
    #expect(distance(whole, .fullImage) < 1e-15)
  }

  /// M2: from the other corner y is 1 - y - **height**, not 1 - y.
  @Test func theOtherCornerCountsFromTheOtherEdge() {
    let rect = NormalizedRect(x: 0.125, y: 0.25, width: 0.5, height: 0.125)
    #expect(rect.verticallyFlipped().y == 0.625)
    let size = ImageSize(width: 800, height: 400)
    #expect(rect.toImageCoordinates(size, origin: .upperLeft).y == 250)
    let pixels = ImageRect(x: 0, y: 100, width: 400, height: 50, origin: .lowerLeft)
    #expect(pixels.converted(to: .upperLeft, in: size).y == 250)
    #expect(NormalizedRect(CornerBox(rect, origin: .upperLeft), origin: .upperLeft) == rect)
  }

  /// M3: padding lies at both ends unless it is asked for at the bottom and right.
  @Test func paddingIsCenteredByDefault() throws {
    let size = ImageSize(width: 1920, height: 1080)
    let model = ImageSize(width: 384, height: 256)
    let standard = try ImageGeometry(
      storedSize: size, cropAndScaleAction: .scaleToFit, modelSize: model)
    #expect(standard.paddingAnchor == .centered)
    #expect(standard.padding == ImagePadding(top: 20, left: 0, bottom: 20, right: 0))
    let anchored = try ImageGeometry(
      storedSize: size, cropAndScaleAction: .scaleToFit, paddingAnchor: .upperLeft,
      modelSize: model)
    #expect(anchored.padding == ImagePadding(top: 0, left: 0, bottom: 40, right: 0))
    let narrow = try ImageGeometry(
      storedSize: size.withSidesSwapped, cropAndScaleAction: .scaleToFit,
      paddingAnchor: .upperLeft, modelSize: model)
    #expect(narrow.padding == ImagePadding(top: 0, left: 0, bottom: 0, right: 240))
  }

  /// M4: a box on the upright image is finished. To treat it as one of the input again would
  /// shift it; conversion from the upright image to itself does not.
  @Test func boxesAreUncroppedOnce() throws {
    let geometry = try geometry(
      1920, 1080, into: ImageSize(width: 416, height: 416), .centerCrop)
    let inModel = NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
    let box = geometry.convert(inModel, from: .model, to: .upright)
    #expect(box == NormalizedRect(x: 0.359375, y: 0.25, width: 0.28125, height: 0.5))
    #expect(geometry.convert(box, from: .upright, to: .upright) == box)
    #expect(
      box.toImageCoordinates(geometry.uprightSize, origin: .upperLeft)
        == ImageRect(x: 690, y: 270, width: 540, height: 540, origin: .upperLeft))
    let view = try geometry.display(
      in: ViewSize(width: 1920, height: 1080), contentMode: .aspectFit)
    #expect(view.viewRect(for: box) == ViewRect(x: 690, y: 270, width: 540, height: 540))
  }

  /// M5: the axis to cut follows from both aspects. An image of 4:3 is landscape, and yet loses
  /// rows in an input of 384 x 224; a formula for landscape images would give a width of 1.29.
  @Test func theAxisFollowsFromBothAspects() throws {
    let model = ImageSize(width: 384, height: 224)
    let crop = try geometry(1600, 1200, into: model, .centerCrop)
    #expect(crop.cropRect.x == 0 && crop.cropRect.width == 1600)
    #expect(abs(crop.cropRect.height - 2800.0 / 3) < 1e-12)
    #expect(abs(crop.cropRect.y - 400.0 / 3) < 1e-12)
    let map = crop.normalizedMap(from: .model, to: .upright)
    #expect(map.a == 1 && abs(map.d - 7.0 / 9) < 1e-15)
    let fit = try geometry(1600, 1200, into: model, .scaleToFit)
    #expect(fit.padding.top == 0 && abs(fit.padding.left - (384 - 896.0 / 3) / 2) < 1e-12)
  }
}
