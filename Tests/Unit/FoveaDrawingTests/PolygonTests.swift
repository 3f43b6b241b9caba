// Fovea - tests of drawn things with corners.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaDrawing
import FoveaGeometry
import FoveaImaging
import Testing

@Suite struct PolygonTests {
  private let size = ImageSize(width: 200, height: 100)
  private let style = DrawingStyle(lineWidth: 4, casingWidth: 2, fontSize: 10)

  private func sheet(_ corners: [(Double, Double)]) -> LabeledBox {
    LabeledBox(
      label: "sheet", classIndex: 1, confidence: 0.9,
      corners: corners.map { NormalizedPoint(x: $0.0 / 200, y: 1 - $0.1 / 100) })
  }

  private let corners = [(60.0, 30.0), (150.0, 40.0), (140.0, 90.0), (50.0, 80.0)]

  @Test func cornersTakeThePlaceOfTheBox() throws {
    let box = sheet(corners)
    #expect(abs(box.boundingBox.x - 0.25) < 1e-12 && abs(box.boundingBox.width - 0.5) < 1e-12)
    #expect(abs(box.boundingBox.y - 0.1) < 1e-12 && abs(box.boundingBox.height - 0.6) < 1e-12)
    let drawing = DrawingInstructions([box], in: size, style: style)
    #expect(drawing.rectangles.isEmpty)
    let polygons = drawing.elements.compactMap {
      if case .polygon(let element) = $0 { element } else { nil }
    }
    #expect(polygons.count == 1)
    let polygon = try #require(polygons.first)
    #expect(polygon.boxIndex == 0)
    #expect(polygon.strokes.map(\.width) == [8, 4])
    for (point, corner) in zip(polygon.corners, corners) {
      #expect(abs(point.x - corner.0) < 1e-9 && abs(point.y - corner.1) < 1e-9)
    }
    // The plate stands above the box around the corners.
    let plate = try #require(drawing.plates.first)
    #expect(plate.text.text == "sheet 90%")
    #expect(plate.rect.maxY <= 30 && plate.rect.minX >= 40)
  }

  /// Around letters, the line is half as wide, and even its casing lies outside.
  @Test func linesAroundLettersCoverNothing() throws {
    var box = sheet([(50, 30), (150, 30), (150, 70), (50, 70)])
    box.liesAround = true
    let drawing = DrawingInstructions([box], in: size, style: style)
    guard case .polygon(let polygon)? = drawing.elements.first else {
      Issue.record("no polygon")
      return
    }
    #expect(polygon.strokes.map(\.width) == [4, 2])
    let expected = [(47.0, 27.0), (153.0, 27.0), (153.0, 73.0), (47.0, 73.0)]
    for (point, corner) in zip(polygon.corners, expected) {
      #expect(abs(point.x - corner.0) < 1e-9 && abs(point.y - corner.1) < 1e-9)
    }
  }

  @Test func svgHasAPolygon() throws {
    let drawing = DrawingInstructions([sheet(corners)], in: size, style: style)
    let text = String(decoding: try drawing.svgBytes(), as: UTF8.self)
    #expect(text.contains(#"<polygon points="60,30 150,40 140,90 50,80" fill="none""#))
    #expect(text.occurrences(of: "<polygon") == 2)
  }

  @Test func cornersThatAreNoNumbersAreLeftOut() {
    let box = sheet([(60, 30), (.nan, 40), (140, 90), (50, .infinity)])
    #expect(DrawingInstructions([box], in: size, style: style).elements.isEmpty)
  }

  #if Drawing
    @Test func linesRunFromCornerToCorner() throws {
      let black = [UInt8](repeating: 0, count: 200 * 100 * 3)
      let image = try Image(width: 200, height: 100, rgb: black)
      var box = sheet(corners)
      box.label = ""
      box.confidence = nil
      let drawn = try AnnotatedImage(image, boxes: [box], style: style).rendered()
      let color = box.color
      func isDrawn(_ x: Int, _ y: Int) -> Bool {
        Array(drawn.rgb[(y * 200 + x) * 3..<(y * 200 + x) * 3 + 3])
          == [color.red, color.green, color.blue]
      }
      for i in 0..<4 {
        let (a, b) = (corners[i], corners[(i + 1) % 4])
        for t in [0.0, 0.25, 0.5, 0.75] {
          #expect(isDrawn(Int(a.0 + (b.0 - a.0) * t), Int(a.1 + (b.1 - a.1) * t)))
        }
      }
      #expect(!isDrawn(100, 60) && !isDrawn(55, 35) && !isDrawn(148, 85))
    }
  #endif
}

extension String {
  /// How often a text occurs.
  fileprivate func occurrences(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let found = rest.range(of: part) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}
