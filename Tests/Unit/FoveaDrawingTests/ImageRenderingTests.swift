// Fovea - tests of drawings as pixels.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaDrawing
import FoveaGeometry
import FoveaImaging
import FoveaPlots
import FoveaTestSupport
import Testing

/// Pixels that differ from their neighbors, so that nothing can be mistaken for unchanged.
func patternedImage(_ width: Int, _ height: Int, orientation: Int = 1) throws -> Image {
  var random = SplitMix(seed: UInt64(width * 1000 + height))
  let rgb = (0..<width * height * 3).map { _ in UInt8(truncatingIfNeeded: random.next() >> 7) }
  return try Image(width: width, height: height, rgb: rgb, storedOrientation: orientation)
}

extension Image {
  /// The color of a pixel.
  func color(_ x: Int, _ y: Int) -> DrawingColor {
    let start = (y * width + x) * 3
    return DrawingColor(red: rgb[start], green: rgb[start + 1], blue: rgb[start + 2])
  }
}

private let box = LabeledBox(
  label: "", classIndex: 4, boundingBox: NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5))

@Suite(.tags(.startsThreads)) struct ImageRenderingTests {
  #if Drawing
    /// On 80 x 60: the middle of the line runs along x 20 and 60, y 15 and 45; a line of 4 covers
    /// the two pixels on either side, the casing of 2 two more.
    @Test func linesHaveTheirColorAndNothingElseChanges() throws {
      let image = try patternedImage(80, 60)
      let style = DrawingStyle(lineWidth: 4, casingWidth: 2, fontSize: 12)
      let drawn = try AnnotatedImage(image, boxes: [box], style: style).rendered()
      #expect(drawn.width == 80 && drawn.height == 60)
      for y in 0..<60 {
        for x in 0..<80 {
          // Distance of the pixel's center to the rectangle's line, the larger of both axes.
          let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
          let outside = max(20 - u, u - 60, 15 - v, v - 45)
          let distance = abs(outside)
          let color = drawn.color(x, y)
          if distance < 2 {
            #expect(color == DrawingColor.labelPalette[4], "\(x), \(y)")
          } else if distance < 4 {
            // Three quarters of black upon the image, within cairo's rounding.
            let below = image.color(x, y)
            #expect(abs(Double(color.red) - Double(below.red) / 4) <= 2, "\(x), \(y)")
            #expect(abs(Double(color.green) - Double(below.green) / 4) <= 2)
            #expect(abs(Double(color.blue) - Double(below.blue) / 4) <= 2)
          } else {
            #expect(color == image.color(x, y), "\(x), \(y)")
          }
        }
      }
    }

    @Test func platesHoldTheirText() throws {
      let named = LabeledBox(
        label: "dog", classIndex: 4, confidence: 0.5, boundingBox: box.boundingBox)
      let image = try patternedImage(400, 300)
      let annotated = AnnotatedImage(image, boxes: [named])
      let drawn = try annotated.rendered()
      let plate = try #require(annotated.instructions().plates.first)
      // Inside the border; the font may be another than the estimate's, so a little less to the right.
      var counts: [DrawingColor: Int] = [:]
      for y in Int(plate.rect.minY + 2)..<Int(plate.rect.maxY - 2) {
        for x in Int(plate.rect.minX + 2)..<Int(plate.rect.minX + 40) {
          counts[drawn.color(x, y), default: 0] += 1
        }
      }
      #expect(counts[DrawingColor.labelPalette[4], default: 0] > 100)
      // Letters: dark pixels, not one of them outside the plate's colors.
      #expect(counts.keys.contains { $0.relativeLuminance < 0.1 })
      for color in counts.keys {
        // Between the plate's color and black: parts keep their proportions.
        #expect(abs(Double(color.green) - Double(color.red) * 210 / 255) <= 2, "\(color)")
        #expect(color.blue <= 2)
      }
    }

    @Test func imagesAreTurnedUprightFirst() throws {
      for orientation in 1...8 {
        let image = try patternedImage(80, 60, orientation: orientation)
        let drawn = try AnnotatedImage(image, boxes: [box]).rendered()
        let same = try AnnotatedImage(image.upright(), boxes: [box]).rendered()
        #expect(drawn == same)
        #expect(drawn.width == (orientation < 5 ? 80 : 60))
        #expect(try AnnotatedImage(image).rendered() == image.upright())
      }
    }

    @Test func instructionsOfAnotherSizeAreRefused() throws {
      let drawing = DrawingInstructions([box], in: ImageSize(width: 81, height: 60))
      let error = #expect(throws: DrawingError.self) {
        try drawing.rendered(over: patternedImage(80, 60))
      }
      let reason = DrawingError.Reason.sizesDiffer(
        instructions: "81.0 x 60.0", image: "80 x 60")
      #expect(error?.reason == reason)
      let fitting = DrawingInstructions([box], in: ImageSize(width: 80, height: 60))
      let image = try patternedImage(80, 60)
      #expect(
        try fitting.rendered(over: image)
          == AnnotatedImage(image, boxes: [box]).rendered())
    }

    @Test func tooLargeImagesAreRefused() throws {
      let long = try Image(width: 32768, height: 1, rgb: Array(repeating: 9, count: 32768 * 3))
      let error = #expect(throws: DrawingError.self) { try AnnotatedImage(long).rendered() }
      #expect(error?.reason == .tooLarge(width: 32768, height: 1, limit: 32767))
      let short = try Image(width: 32767, height: 1, rgb: Array(repeating: 9, count: 32767 * 3))
      #expect(try AnnotatedImage(short).rendered() == short)
    }

    @Test func aMissingLibraryIsNamed() {
      let error = #expect(throws: DrawingError.self) {
        try CairoLibrary(fileName: "libcairo-of-another-world.so")
      }
      #expect(error?.description.contains("libcairo-of-another-world.so") == true)
      #expect(error?.description.contains("install libcairo2") == true)
      // The C library is one that can be opened, but has no such functions.
      let wrong = #expect(throws: DrawingError.self) { try CairoLibrary(fileName: "libc.so.6") }
      #expect(wrong?.description.contains("cairo_") == true)
    }

    @Test func drawingsFromManyThreadsAreEqual() async throws {
      let named = LabeledBox(label: "dog", confidence: 0.9, boundingBox: box.boundingBox)
      let annotated = AnnotatedImage(try patternedImage(200, 150), boxes: [named])
      let expected = try annotated.rendered()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<16 { group.addTask { try annotated.rendered() == expected } }
        for try await isEqual in group { #expect(isEqual) }
      }
    }

    @Test(.enabled(if: SharedData.isPresent))
    func photographsKeepWhatIsNotDrawn() throws {
      let photograph = try Image(contentsOf: SharedData.url("images/dog.jpg").path)
      let dog = LabeledBox(
        label: "dog", classIndex: 16, confidence: 0.96,
        boundingBox: NormalizedRect(x: 0.148, y: 0.07, width: 0.354, height: 0.603))
      let annotated = AnnotatedImage(photograph, boxes: [dog])
      let drawn = try annotated.rendered()
      let outline = try #require(annotated.instructions().rectangles.first)
      let width = outline.strokes.map(\.width).max() ?? 0
      var changed = 0
      for y in 0..<photograph.height {
        for x in 0..<photograph.width where drawn.color(x, y) != photograph.color(x, y) {
          changed += 1
          // The plate lies above the box, at most a tenth of the height away.
          #expect(Double(x) > outline.rect.minX - width && Double(x) < outline.rect.maxX + width)
          #expect(Double(y) > outline.rect.minY - 60 && Double(y) < outline.rect.maxY + width)
        }
      }
      // At least half of the line's pixels, and far from all of the image.
      let length = 2 * (outline.rect.width + outline.rect.height)
      #expect(Double(changed) > length * width / 2)
      #expect(changed < photograph.width * photograph.height / 20)
    }
  #else
    @Test func buildsWithoutDrawingSaySo() throws {
      let annotated = AnnotatedImage(try patternedImage(80, 60), boxes: [box])
      let error = #expect(throws: DrawingError.self) { try annotated.rendered() }
      #expect(error?.reason == .traitDisabled)
      #expect(error?.description.contains("package trait Drawing") == true)
      let sheet = ContactSheet([.init(annotated)])
      #expect(#expect(throws: DrawingError.self) { try sheet.rendered() }?.reason == .traitDisabled)
      #expect(annotated.instructions().rectangles.count == 1)
      #expect(try !annotated.svgBytes(embedsImage: false).isEmpty)
    }
  #endif
}
