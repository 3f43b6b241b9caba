// Fovea - tests of drawing on planes.
// SPDX-License-Identifier: Apache-2.0
import FoveaDrawing
import FoveaGeometry
import Testing

@Suite("Drawing on planes") struct PlaneCanvasTests {
  private static let (width, height) = (64, 48)

  /// Planes of gray on which something has been drawn. Red is (81, 90, 240).
  private func drawn(_ elements: [DrawingElement]) throws -> (luma: [UInt8], u: [UInt8], v: [UInt8])
  {
    var luma = [UInt8](repeating: 100, count: Self.width * Self.height)
    var u = [UInt8](repeating: 128, count: luma.count / 4)
    var v = u
    let letters = try TextMasks(width: Self.width, fontSize: 12)
    luma.withUnsafeMutableBufferPointer { luma in
      u.withUnsafeMutableBufferPointer { u in
        v.withUnsafeMutableBufferPointer { v in
          let canvas = PlaneCanvas(
            planes: (luma.baseAddress!, u.baseAddress!, v.baseAddress!), width: Self.width,
            height: Self.height
          ) { red, _, _ in red > 128 ? (81, 90, 240) : (16, 128, 128) }
          for element in elements { canvas.draw(element, with: letters) }
        }
      }
    }
    return (luma, u, v)
  }

  private let red = DrawingColor(red: 255, green: 0, blue: 0)

  private func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, line: Double,
    dashes: [Double] = []
  ) -> DrawingElement {
    // The outline of a box as users get it, with another stroke.
    let size = ImageSize(width: Self.width, height: Self.height)
    let box = LabeledBox(
      label: "",
      boundingBox: NormalizedRect(
        imageRect: ImageRect(x: x, y: y, width: width, height: height, origin: .upperLeft),
        in: size))
    let style = DrawingStyle(lineWidth: line, casingWidth: 0, fontSize: 8)
    var element = DrawingInstructions([box], in: size, style: style).rectangles[0]
    element.strokes = [DrawingStroke(color: red, width: line, dashes: dashes)]
    return .rectangle(element)
  }

  /// Luma changes on the edges of the box alone; chroma changes by the part that is covered.
  @Test func outlines() throws {
    let (luma, u, v) = try drawn([rectangle(11, 11, 20, 14, line: 2)])
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let isOutside = x < 10 || x >= 32 || y < 10 || y >= 26
        let isInside = (12..<30).contains(x) && (12..<24).contains(y)
        #expect(luma[y * Self.width + x] == (isOutside || isInside ? 100 : 81), "\(x) \(y)")
      }
    }
    // (10, 10) is wholly covered, (20, 20) not at all.
    #expect(u[5 * 32 + 5] == 90 && v[5 * 32 + 5] == 240)
    #expect(u[10 * 32 + 10] == 128 && v[10 * 32 + 10] == 128)
    let (_, half, _) = try drawn([rectangle(11.5, 11.5, 20, 14, line: 1)])
    // One row of two is covered.
    #expect(half[5 * 32 + 10] == 109)
  }

  @Test func dashesLeaveGaps() throws {
    let (luma, _, _) = try drawn([rectangle(11, 11, 40, 20, line: 2, dashes: [6, 4])])
    let edge = (10..<52).map { luma[10 * Self.width + $0] == 81 }
    #expect(edge == (0..<42).map { $0 % 10 < 6 })
  }

  /// The sum of what a line covers is its length times its width.
  @Test func linesCoverTheirArea() throws {
    for (x, y) in [(40.0, 8.0), (8, 40), (50, 40), (9, 30)] {
      let (startX, startY) = (8.3, 8.0)
      let line = LineElement(
        start: ImagePoint(x: startX, y: startY, origin: .upperLeft),
        end: ImagePoint(x: x, y: y, origin: .upperLeft),
        strokes: [DrawingStroke(color: DrawingColor(red: 0, green: 0, blue: 0), width: 3)])
      let (luma, _, _) = try drawn([.line(line)])
      let covered = luma.reduce(0.0) { $0 + (100 - Double($1)) / 84 }
      let length = ((x - startX) * (x - startX) + (y - startY) * (y - startY)).squareRoot()
      // Round ends are half a circle each.
      let expected = 3 * length + Double.pi * 2.25
      #expect(abs(covered - expected) < 0.04 * expected, "\(covered) \(expected)")
    }
  }

  @Test func opacityMixes() throws {
    let line = LineElement(
      start: ImagePoint(x: 4, y: 20, origin: .upperLeft),
      end: ImagePoint(x: 60, y: 20, origin: .upperLeft),
      strokes: [
        DrawingStroke(
          color: DrawingColor(red: 0, green: 0, blue: 0, opacity: 0.5), width: 4)
      ])
    let (luma, _, _) = try drawn([.line(line)])
    #expect(luma[20 * Self.width + 30] == 58)
  }

  /// Letters lie on their plate, and nothing lies outside.
  @Test func platesHaveLetters() throws {
    let size = ImageSize(width: Self.width, height: Self.height)
    let box = LabeledBox(
      label: "dog", classIndex: 0,
      boundingBox: NormalizedRect(x: 0.1, y: 0.1, width: 0.7, height: 0.4))
    let style = DrawingStyle(lineWidth: 2, casingWidth: 1, fontSize: 12)
    let plate = try #require(DrawingInstructions([box], in: size, style: style).plates.first)
    let (luma, _, _) = try drawn([.plate(plate)])
    let rect = plate.rect
    var levels: Set<UInt8> = []
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let isOutside =
          Double(x + 1) < rect.minX || Double(x) > rect.maxX || Double(y + 1) < rect.minY
          || Double(y) > rect.maxY
        if isOutside {
          #expect(luma[y * Self.width + x] == 100)
        } else {
          levels.insert(luma[y * Self.width + x])
        }
      }
    }
    // The plate, its border, letters, and their soft edges.
    #expect(levels.count > 6)
  }

  /// What lies outside, or is no number, harms nobody.
  @Test func placesOutside() throws {
    for value in [-1e9, 1e9, Double.nan, .infinity] {
      let line = LineElement(
        start: ImagePoint(x: value, y: 5, origin: .upperLeft),
        end: ImagePoint(x: 5, y: value, origin: .upperLeft),
        strokes: [DrawingStroke(color: red, width: 3)])
      _ = try drawn([.line(line)])
    }
  }
}
