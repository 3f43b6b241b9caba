// Fovea - tests of masks, key points and limbs that are drawn.
// SPDX-License-Identifier: Apache-2.0
import FoveaDrawing
import FoveaGeometry
import FoveaImaging
import FoveaShapes
import FoveaTestSupport
import Testing

@Suite struct DrawnShapesTests {
  private let size = ImageSize(width: 40, height: 20)

  /// The object is a bar of 10 x 4 pixels and a single one.
  private var mask: InstanceMask {
    get throws {
      var columns: [[Bool]] = []
      for x in 0..<40 {
        columns.append((0..<20).map { y in (5..<15).contains(x) && (8..<12).contains(y) })
      }
      columns[30][3] = true
      let lengths = runLengths(of: columns.joined())
      return InstanceMask(try #require(MaskRunLengths(imageSize: size, lengths: lengths)))
    }
  }

  private func box(at place: NormalizedRect) -> LabeledBox {
    LabeledBox(label: "cup", classIndex: 2, confidence: 0.5, boundingBox: place)
  }

  @Test func masksAreTintedAndHaveAnEdge() throws {
    var box = box(at: .fullImage)
    box.mask = try mask
    let drawing = DrawingInstructions([box], in: size)
    let areas = drawing.elements.compactMap { element in
      if case .area(let area) = element { area } else { nil }
    }
    let area = try #require(areas.first)
    #expect(areas.count == 1 && area.bars.count == 2)
    #expect(area.bars.map { $0.width * $0.height }.sorted() == [1, 40])
    #expect(area.fill.opacity == 0.4)
    let rings = drawing.elements.compactMap { element in
      if case .polygon(let polygon) = element { polygon.corners } else { nil }
    }
    #expect(rings.count == 1 && rings[0].map { [$0.x, $0.y] }.first == [5.5, 8.5])
    // Below the box, so that its line stays as it is.
    let first = try #require(drawing.elements.first)
    if case .area = first {} else { Issue.record("the tint is not the first element") }
  }

  @Test func tintsChangeThePixelsOfTheObjectAlone() throws {
    var box = box(at: NormalizedRect(x: 2, y: 2, width: 0.1, height: 0.1))
    box.mask = try mask
    // The box lies outside, and nothing of it is drawn.
    #expect(DrawingInstructions([box], in: size).elements.isEmpty)
    box.boundingBox = .fullImage
    let gray = try Image(width: 40, height: 20, rgb: [UInt8](repeating: 100, count: 2400))
    let drawn = try AnnotatedImage(
      gray, boxes: [box],
      style: DrawingStyle(lineWidth: 1, casingWidth: 0, fontSize: 0)
    ).rendered()
    let color = box.color
    let pixels = drawn.withPixels { pixels in pixels.withUnsafeBufferPointer { Array($0) } }
    let inside = pixels[(10 * 40 + 10) * 3]
    let expected = 60 + 0.4 * Double(color.red)
    #expect(abs(Double(inside) - expected) <= 1.5)
    #expect(pixels[(16 * 40 + 20) * 3] == 100)
  }

  @Test func limbsJoinPointsThatAreSure() {
    var box = box(at: .fullImage)
    box.keypoints = BodyPoints.names.enumerated().map { index, name in
      RecognizedPoint(
        name: name, location: NormalizedPoint(x: Double(index) / 17, y: 0.5),
        confidence: index == 9 ? 0.4 : 0.9)
    }
    func count(_ isWanted: (DrawingElement) -> Bool) -> Int {
      DrawingInstructions([box], in: size).elements.count(where: isWanted)
    }
    // Point 9, a wrist, ends one limb.
    #expect(count { if case .line = $0 { true } else { false } } == BodyPoints.limbs.count - 1)
    #expect(count { if case .dot = $0 { true } else { false } } == 16)
    box.keypoints[0].name = "tail"
    #expect(count { if case .line = $0 { true } else { false } } == 0)
  }

  @Test func vectorsHoldTheSame() throws {
    var box = box(at: .fullImage)
    box.mask = try mask
    box.keypoints = [
      RecognizedPoint(name: "a", location: NormalizedPoint(x: 0.5, y: 0.5), confidence: 1)
    ]
    let svg = String(
      decoding: try DrawingInstructions([box], in: size).svgBytes(over: nil), as: UTF8.self)
    #expect(svg.contains("M5 8h10v4h-10z"))
    #expect(svg.contains(#"<circle cx="20" cy="10""#))
  }
}
