// Fovea - tests of what is drawn over an image in a view.
// SPDX-License-Identifier: Apache-2.0
import FoveaDisplay
import FoveaDrawing
import FoveaGeometry
import Testing

@Suite struct DisplayElementTests {
  private let box = LabeledBox(
    label: "dog", boundingBox: NormalizedRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25))

  private func view(_ mode: ViewContentMode) throws -> ViewGeometry {
    try ViewGeometry(
      imageSize: ImageSize(width: 1920, height: 1080),
      viewSize: ViewSize(width: 390, height: 844), contentMode: mode)
  }

  @Test func boxesLieWhereTheViewShowsThem() throws {
    let view = try view(.aspectFit)
    let elements = view.elements(
      for: [box], style: DrawingStyle(lineWidth: 4, casingWidth: 0, fontSize: 10))
    guard case .outline(let rect, let color, let width, let dashes, box: 0) = elements.first else {
      Issue.record("\(elements)")
      return
    }
    // Away from the edges of image and view, the line lies on the border of the box.
    let whole = view.viewRect(for: box.boundingBox)
    #expect(abs(rect.x - whole.x) < 1e-9 && abs(rect.y - whole.y) < 1e-9)
    #expect(abs(rect.width - whole.width) < 1e-9 && abs(rect.height - whole.height) < 1e-9)
    #expect(color == box.color && width == 4 && dashes.isEmpty)
  }

  @Test func labelsArePlatesWithTextUponThem() throws {
    let elements = try view(.aspectFit).elements(for: [box]) { Double($0.count) * $1 / 2 }
    guard case .text(let text, let point, _, let room, _) = elements.last else {
      Issue.record("\(elements)")
      return
    }
    #expect(text == "dog" && room > 0)
    let plates = elements.compactMap { element -> ViewRect? in
      if case .plate(let rect, _, box: 0) = element { rect } else { nil }
    }
    #expect(plates.count == 1)
    #expect(plates.allSatisfy { $0.x <= point.x && $0.y <= point.y && $0.x >= 0 })
  }

  @Test func nothingIsDrawnOutsideTheView() throws {
    let left = LabeledBox(
      label: "", boundingBox: NormalizedRect(x: 0, y: 0, width: 0.2, height: 1))
    #expect(try view(.aspectFill).elements(for: [left]).isEmpty)
    #expect(try !view(.aspectFit).elements(for: [left]).isEmpty)
  }

  @Test func regionsAreDashed() throws {
    let region = LabeledRegion(rect: NormalizedRect(x: 0.5, y: 0.5, width: 0.25, height: 0.25))
    let elements = try view(.aspectFit).elements(for: [], regions: [region])
    let dashes = elements.compactMap { element -> [Double]? in
      if case .outline(_, _, _, let dashes, box: nil) = element { dashes } else { nil }
    }
    #expect(dashes.count == 2 && dashes.first?.isEmpty == true && dashes.last?.count == 2)
  }
}
