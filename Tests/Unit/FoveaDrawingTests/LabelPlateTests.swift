// Fovea - tests of where plates go.
// SPDX-License-Identifier: Apache-2.0
import FoveaDrawing
import FoveaGeometry
import FoveaTestSupport
import Testing

/// The area that two rectangles have in common, counted from their edges.
private func common(_ one: ImageRect, _ two: ImageRect) -> Double {
  let width = min(one.maxX, two.maxX) - max(one.minX, two.minX)
  let height = min(one.maxY, two.maxY) - max(one.minY, two.minY)
  return max(0, width) * max(0, height)
}

private func overlaps(_ drawing: DrawingInstructions) -> Int {
  let plates = drawing.plates.map(\.rect)
  return plates.indices.reduce(0) { count, first in
    count + plates[(first + 1)...].count { common(plates[first], $0) > 1e-3 }
  }
}

private func liesInside(_ plate: PlateElement, _ size: ImageSize) -> Bool {
  let slack = 1e-9
  return plate.rect.minX >= -slack && plate.rect.minY >= -slack
    && plate.rect.maxX <= Double(size.width) + slack
    && plate.rect.maxY <= Double(size.height) + slack
}

@Suite struct LabelPlateTests {
  private let size = ImageSize(width: 640, height: 480)

  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> LabeledBox {
    LabeledBox(
      label: "box", confidence: 0.5,
      boundingBox: NormalizedRect(x: x, y: y, width: width, height: height))
  }

  private func onlyPlate(_ box: LabeledBox) throws -> (plate: ImageRect, outline: ImageRect) {
    let drawing = DrawingInstructions([box], in: size)
    return try (#require(drawing.plates.first).rect, #require(drawing.rectangles.first).rect)
  }

  @Test func aboveTheBoxWhereThereIsRoom() throws {
    let (plate, outline) = try onlyPlate(box(0.3, 0.3, 0.4, 0.4))
    #expect(plate.maxY <= outline.minY)
    #expect(plate.maxY > outline.minY - 5)
    #expect(abs(plate.minX - outline.minX) < 5)
  }

  @Test func insideWhereTheBoxTouchesTheTop() throws {
    let (plate, outline) = try onlyPlate(box(0.3, 0.3, 0.4, 0.7))
    #expect(plate.minY < 5 && plate.minY >= 0)
    #expect(plate.maxX < outline.maxX)
  }

  @Test func belowWhereItWouldHideTheBox() throws {
    let (plate, outline) = try onlyPlate(box(0.3, 0.95, 0.1, 0.05))
    #expect(plate.minY >= outline.maxY)
  }

  @Test func movedToTheLeftAtTheRightEdge() throws {
    let (plate, outline) = try onlyPlate(box(0.97, 0.4, 0.03, 0.1))
    #expect(plate.maxX <= 640 && plate.maxX > 635)
    #expect(plate.maxY <= outline.minY)
  }

  @Test func equalBoxesHavePlatesSideBySide() {
    for count in 2...12 {
      let boxes = Array(repeating: box(0.3, 0.3, 0.4, 0.4), count: count)
      let drawing = DrawingInstructions(boxes, in: size)
      #expect(drawing.plates.count == count)
      #expect(overlaps(drawing) == 0, "\(count) boxes")
    }
    // In a corner too, where places above and to the left are missing.
    let cornered = Array(repeating: box(0, 0.6, 0.4, 0.4), count: 6)
    #expect(overlaps(DrawingInstructions(cornered, in: size)) == 0)
  }

  @Test func platesStayInsideAndApart() {
    var random = SplitMix(seed: 11)
    func fraction() -> Double { Double(random.next() % 10_001) / 10_000 }
    let sizes = [(640, 480), (320, 320), (4000, 3000), (97, 300), (1920, 200)]
    for (width, height) in sizes {
      let size = ImageSize(width: width, height: height)
      for _ in 0..<40 {
        let boxes = (0..<6).map { index in
          LabeledBox(
            label: ["dog", "traffic light", "a"][index % 3], classIndex: index,
            confidence: Float(fraction()),
            boundingBox: NormalizedRect(
              x: fraction() - 0.1, y: fraction() - 0.1, width: fraction() * 0.6,
              height: fraction() * 0.6))
        }
        let drawing = DrawingInstructions(boxes, in: size)
        #expect(drawing.plates.allSatisfy { liesInside($0, size) })
        for plate in drawing.plates {
          #expect(plate.fill.contrastRatio(with: plate.text.color) > 4.5)
          #expect(plate.text.anchor.x > plate.rect.minX)
          #expect(plate.text.anchor.x + plate.text.width < plate.rect.maxX)
          #expect(plate.text.anchor.y < plate.rect.maxY)
        }
        // Six plates take at most a fifth of these images: there is always room.
        if width * height >= 300 * 300 { #expect(overlaps(drawing) == 0, "\(size)") }
      }
    }
  }

  @Test func aSmallObjectIsNotHidden() throws {
    // The place above the large box is taken by a small one.
    let large = box(0.2, 0.2, 0.5, 0.5)
    let small = LabeledBox(
      label: "", boundingBox: NormalizedRect(x: 0.2, y: 0.71, width: 0.06, height: 0.04))
    let drawing = DrawingInstructions([large, small], in: size)
    let hidden = try #require(drawing.rectangles.first { $0.boxIndex == 1 }).rect
    #expect(common(try #require(drawing.plates.first).rect, hidden) == 0)
  }

  @Test func leadersJoinDistantPlates() {
    let boxes = Array(repeating: box(0.45, 0.45, 0.02, 0.02), count: 20)
    let drawing = DrawingInstructions(boxes, in: size)
    let lines = drawing.elements.compactMap { element -> LineElement? in
      if case .line(let line) = element { line } else { nil }
    }
    #expect(overlaps(drawing) == 0)
    #expect(!lines.isEmpty)
    for line in lines {
      // From an edge of a plate to an edge of the box at (288, 254.4), 12.8 by 9.6.
      #expect(
        drawing.plates.contains { plate in
          line.start.x >= plate.rect.minX - 1e-9 && line.start.x <= plate.rect.maxX + 1e-9
            && line.start.y >= plate.rect.minY - 1e-9 && line.start.y <= plate.rect.maxY + 1e-9
        })
      #expect((287.9...300.9).contains(line.end.x) && (254.3...264.1).contains(line.end.y))
    }
  }

  /// Plates that are wider than their boxes have smaller letters, which can still be read.
  @Test func lettersOfSmallObjectsAreSmaller() throws {
    let large = ImageSize(width: 2000, height: 1500)
    func letters(_ width: Double) throws -> Double {
      let drawing = DrawingInstructions([box(0.4, 0.4, width, 0.2)], in: large)
      return try #require(drawing.plates.first).text.fontSize
    }
    let whole = try letters(0.3)
    #expect(whole == DrawingStyle(fitting: large).fontSize)
    #expect(try abs(letters(0.01) - 0.65 * whole) < 1e-9)
    #expect(try (0.65 * whole...whole).contains(letters(0.12)))
    let small = try #require(DrawingInstructions([box(0.4, 0.4, 0.01, 0.2)], in: size).plates.first)
    #expect(small.text.fontSize >= 8.5)
  }

  @Test func longLabelsAreMadeSmaller() throws {
    let narrow = ImageSize(width: 100, height: 300)
    func plate(_ letters: Int) -> PlateElement? {
      let long = LabeledBox(
        label: String(repeating: "m", count: letters),
        boundingBox: NormalizedRect(x: 0.2, y: 0.2, width: 0.5, height: 0.5))
      return DrawingInstructions([long], in: narrow) { Double($0.count) * $1 }.plates.first
    }
    // 12 letters and 0.72 for the sides, of the font's size, fill the width without its borders.
    let fitted = try #require(plate(12))
    #expect(abs(fitted.rect.width - 100) < 1e-9)
    #expect(abs(fitted.text.fontSize - (100 - 2 * fitted.border.width) / 12.72) < 1e-9)
    // 40 letters would be smaller than what can be read.
    #expect(plate(40) == nil)
  }

  @Test func crowdsAreStable() {
    let boxes = (0..<200).map { index in
      box(Double(index % 20) / 20, Double(index / 20) / 10, 0.2, 0.2)
    }
    let drawing = DrawingInstructions(boxes, in: size)
    #expect(drawing.plates.count == 200)
    #expect(drawing.plates.allSatisfy { liesInside($0, size) })
    #expect(drawing == DrawingInstructions(boxes, in: size))
  }
}
