// Fovea - tests of drawing instructions against closed forms.
// SPDX-License-Identifier: Apache-2.0
import FoveaDrawing
import FoveaGeometry
import Testing

/// A line of 4 with a casing of 2 on either side: 8 in all.
private let style = DrawingStyle(lineWidth: 4, casingWidth: 2, fontSize: 20)

/// Letters of half the font's size.
private func half(_ text: String, _ fontSize: Double) -> Double {
  Double(text.count) * fontSize / 2
}

private func isNear(_ one: ImageRect, _ two: ImageRect) -> Bool {
  one.origin == two.origin
    && zip([one.x, one.y, one.width, one.height], [two.x, two.y, two.width, two.height])
      .allSatisfy { abs($0 - $1) < 1e-9 }
}

private func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ImageRect {
  ImageRect(x: x, y: y, width: width, height: height, origin: .upperLeft)
}

@Suite struct DrawingInstructionsTests {
  private let size = ImageSize(width: 1000, height: 500)
  private let dog = LabeledBox(
    label: "dog", classIndex: 2, confidence: 0.956,
    boundingBox: NormalizedRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4))

  private func instructions(_ boxes: [LabeledBox]) -> DrawingInstructions {
    DrawingInstructions(boxes, in: size, style: style, measureText: half)
  }

  @Test func aBoxAndItsPlate() throws {
    let drawing = instructions([dog])
    #expect(drawing.elements.count == 2)
    let outline = try #require(drawing.rectangles.first)
    // Lower left (0.1, 0.2) and a height of 0.4: the upper edge is at 1 - 0.6 of 500.
    #expect(isNear(outline.rect, rect(100, 200, 300, 200)))
    #expect(outline.strokes.map(\.width) == [8, 4])
    #expect(outline.strokes.last?.color == DrawingColor.labelPalette[2])
    #expect(outline.boxIndex == 0)

    let plate = try #require(drawing.plates.first)
    // 7 letters of 10; 0.36 of the font's size on either side, 1.28 of it high, borders of 2.
    #expect(isNear(plate.rect, rect(96, 198 - 29.6, 70 + 2 * 7.2 + 4, 29.6)))
    #expect(plate.text.text == "dog 96%")
    #expect(plate.text.width == 70)
    #expect(plate.text.fontSize == 20)
    #expect(abs(plate.text.anchor.x - (96 + 2 + 7.2)) < 1e-9)
    #expect(abs(plate.text.anchor.y - (198 - 29.6 + 2 + 0.95 * 20)) < 1e-9)
    #expect(plate.fill == DrawingColor.labelPalette[2])
    #expect(plate.text.color == plate.fill.readableTextColor)
    #expect(isNear(plate.borderRect, rect(97, 169.4, 86.4, 27.6)))
  }

  @Test func captions() {
    func caption(_ label: String, _ confidence: Float?) -> String? {
      let box = LabeledBox(label: label, confidence: confidence, boundingBox: dog.boundingBox)
      return instructions([box]).plates.first?.text.text
    }
    #expect(caption("cat", nil) == "cat")
    #expect(caption("cat", 0.004) == "cat 0%")
    #expect(caption("cat", 0.995) == "cat 100%" || caption("cat", 0.995) == "cat 99%")
    #expect(caption("cat", 7) == "cat 100%")
    #expect(caption("cat", -1) == "cat 0%")
    #expect(caption("cat", .nan) == "cat")
    #expect(caption("", 0.5) == "50%")
    #expect(caption("", nil) == nil)
    #expect(caption("two\nlines\tand\u{0}more", nil) == "two lines and more")
    var silent = style
    silent.showsConfidence = false
    let drawing = DrawingInstructions([dog], in: size, style: silent, measureText: half)
    #expect(drawing.plates.first?.text.text == "dog")
  }

  @Test func linesStayInsideTheImage() throws {
    func drawn(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ImageRect? {
      let box = LabeledBox(
        label: "", boundingBox: NormalizedRect(x: x, y: y, width: width, height: height))
      return instructions([box]).rectangles.first?.rect
    }
    #expect(try isNear(#require(drawn(0, 0, 1, 1)), rect(4, 4, 992, 492)))
    #expect(try isNear(#require(drawn(-0.5, -0.5, 3, 3)), rect(4, 4, 992, 492)))
    // The left half and more: only the edges that leave are moved.
    #expect(try isNear(#require(drawn(-0.2, 0.25, 0.7, 0.5)), rect(4, 125, 496, 250)))
    #expect(try isNear(#require(drawn(0.5, 0.5, 0, 0)), rect(500, 250, 0, 0)))
    #expect(drawn(1.1, 0, 0.5, 0.5) == nil)
    #expect(drawn(0, -0.6, 0.5, 0.5) == nil)
    #expect(drawn(.nan, 0, 0.5, 0.5) == nil)
    #expect(drawn(0, 0, .infinity, 0.5) == nil)
  }

  @Test func theSurestLieOnTop() {
    let boxes = [0.5, nil, 0.9, 0.5, .nan].map {
      LabeledBox(label: "x", confidence: $0, boundingBox: dog.boundingBox)
    }
    let drawing = instructions(boxes)
    #expect(drawing.rectangles.map(\.boxIndex) == [4, 1, 3, 0, 2])
    #expect(drawing.plates.map(\.boxIndex) == [4, 1, 3, 0, 2])
    let kinds = drawing.elements.map { element in
      switch element {
      case .rectangle, .polygon, .area, .dot: 0
      case .line: 1
      case .plate: 2
      case .text: 3
      }
    }
    #expect(kinds == kinds.sorted())
  }

  @Test func viewsShowImagesInTheirPlace() throws {
    // 1920 x 1080 in a view of 390 x 844: aspect fit leaves 390 x 219.375 in the middle.
    let fit = rect(0, (844 - 219.375) / 2, 390, 219.375)
    let box = LabeledBox(
      label: "", boundingBox: NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
    let fitted = DrawingInstructions(
      [box], on: DrawingCanvas(width: 390, height: 844, image: fit), style: style)
    let expected = rect(97.5, fit.y + 0.25 * 219.375, 195, 0.25 * 219.375)
    #expect(try isNear(#require(fitted.rectangles.first).rect, expected))
    // The same place said from the lower left.
    let flipped = ImageRect(
      x: 0, y: 844 - fit.maxY, width: 390, height: 219.375, origin: .lowerLeft)
    let canvas = DrawingCanvas(width: 390, height: 844, image: flipped)
    #expect(isNear(canvas.image, fit))
    // Aspect fill: 1500.44 x 844, of which the middle is seen. The box leaves on both sides.
    let width = 844.0 * 1920 / 1080
    let fill = rect((390 - width) / 2, 0, width, 844)
    let filled = DrawingInstructions(
      [box], on: DrawingCanvas(width: 390, height: 844, image: fill), style: style)
    #expect(try isNear(#require(filled.rectangles.first).rect, rect(4, 211, 382, 211)))
    let hidden = LabeledBox(
      label: "", boundingBox: NormalizedRect(x: 0, y: 0, width: 0.2, height: 1))
    #expect(
      DrawingInstructions(
        [hidden], on: DrawingCanvas(width: 390, height: 844, image: fill)
      ).elements.isEmpty)
  }

  @Test func nothingIsDrawnOnNothing() {
    for size in [ImageSize(width: 0, height: 10), ImageSize(width: 10, height: -1)] {
      #expect(DrawingInstructions([dog], in: size).elements.isEmpty)
    }
    var canvas = DrawingCanvas(size)
    canvas.width = .nan
    #expect(DrawingInstructions([dog], on: canvas).elements.isEmpty)
    let broken = DrawingStyle(lineWidth: -1, casingWidth: 0, fontSize: 10)
    #expect(DrawingInstructions([dog], in: size, style: broken).elements.isEmpty)
    let unmeasured = DrawingInstructions([dog], in: size) { _, _ in .nan }
    #expect(unmeasured.rectangles.count == 1 && unmeasured.plates.isEmpty)
  }

  @Test func regionsAreDashedAndBelow() throws {
    let region = LabeledRegion(
      label: "region", rect: NormalizedRect(x: 0.5, y: 0.5, width: 0.25, height: 0.25))
    let drawing = DrawingInstructions(
      [dog], regions: [region], in: size, style: style, measureText: half)
    let outline = try #require(drawing.rectangles.first)
    #expect(isNear(outline.rect, rect(500, 125, 250, 125)))
    #expect(outline.boxIndex == nil)
    #expect(outline.strokes.map(\.dashes) == [[], [20, 14]])
    #expect(outline.strokes.last?.color == .white)
    #expect(drawing.plates.first?.text.text == "region")
    #expect(drawing.plates.first?.text.color == .black)
    #expect(drawing.plates.count == 2)
  }

  @Test func stylesFollowTheImagesSize() {
    // 4000 x 3000: the square root of the area is 3464.1.
    let large = DrawingStyle(fitting: ImageSize(width: 4000, height: 3000))
    #expect(abs(large.lineWidth - 13.8564) < 1e-4)
    #expect(abs(large.fontSize - 79.6743) < 1e-4)
    let small = DrawingStyle(fitting: ImageSize(width: 320, height: 320))
    #expect(small.lineWidth == 2 && small.fontSize == 11.5)
    let twice = DrawingStyle(fitting: ImageSize(width: 320, height: 320), scale: 2)
    #expect(twice.lineWidth == 4 && twice.fontSize == 23)
    let flat = DrawingStyle(fitting: ImageSize(width: 4000, height: 12))
    #expect(flat.lineWidth == 1 && flat.fontSize == 8)
  }

  @Test func estimatedWidths() {
    // Advances of DejaVu Sans Bold: d 716, o 687, g 716.
    #expect(
      abs(DrawingInstructions.estimatedTextWidth("dog", fontSize: 10) - 21.19) < 1e-9)
    #expect(DrawingInstructions.estimatedTextWidth("", fontSize: 10) == 0)
    #expect(abs(DrawingInstructions.estimatedTextWidth("ß", fontSize: 10) - 7) < 1e-9)
    #expect(abs(DrawingInstructions.estimatedTextWidth("車", fontSize: 10) - 10) < 1e-9)
    let composed = DrawingInstructions.estimatedTextWidth("e\u{301}", fontSize: 10)
    #expect(composed == DrawingInstructions.estimatedTextWidth("e", fontSize: 10))
  }
}
