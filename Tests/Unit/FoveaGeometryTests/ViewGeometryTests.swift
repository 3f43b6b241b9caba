// Fovea - tests of images and boxes in views.
// SPDX-License-Identifier: Apache-2.0
import FoveaDisplay
import FoveaGeometry
import FoveaTestSupport
import Foundation
import Testing

@Suite struct ViewGeometryTests {
  private let portrait = ImageSize(width: 1080, height: 1920)
  private let phone = ViewSize(width: 390, height: 844)

  private func view(_ mode: ViewContentMode) throws -> ViewGeometry {
    try ViewGeometry(imageSize: portrait, viewSize: phone, contentMode: mode)
  }

  @Test func aspectFitLeavesBars() throws {
    let view = try view(.aspectFit)
    // 390/1080 is the smaller scale: 1920 rows become 693 1/3 points, and 75 1/3 stay free.
    let frame = view.viewRect(for: .fullImage)
    #expect(frame == view.imageFrame)
    #expect(frame.x == 0 && frame.width == 390)
    #expect(abs(frame.height - 2080.0 / 3) < 1e-12 && abs(frame.y - 226.0 / 3) < 1e-12)
    #expect(distance(view.visibleRect, .fullImage) < 1e-15)
  }

  @Test func aspectFillCutsTheSides() throws {
    let view = try view(.aspectFill)
    // 844/1920 is the greater scale: 1080 columns become 474.75 points, 42.375 cut at each side.
    #expect(view.imageFrame == ViewRect(x: -42.375, y: 0, width: 474.75, height: 844))
    let visible = view.visibleRect
    #expect(abs(visible.x - 42.375 / 474.75) < 1e-15 && visible.y == 0)
    #expect(abs(visible.width - 390 / 474.75) < 1e-15 && visible.height == 1)
    let upperLeft = NormalizedRect(x: 0, y: 0.5, width: 0.5, height: 0.5)
    #expect(
      view.viewRect(for: upperLeft) == ViewRect(x: -42.375, y: 0, width: 237.375, height: 422))
  }

  @Test func resizeFillsBothAxes() throws {
    let view = try view(.resize)
    #expect(view.imageFrame == ViewRect(x: 0, y: 0, width: 390, height: 844))
    let quarters = BoxPlacementTests.testBoxes.map { view.viewRect(for: $0) }
    #expect(
      quarters == [
        ViewRect(x: 0, y: 0, width: 390, height: 844),
        ViewRect(x: 0, y: 422, width: 195, height: 422),
        ViewRect(x: 0, y: 0, width: 195, height: 422),
        ViewRect(x: 195, y: 422, width: 195, height: 422),
        ViewRect(x: 195, y: 0, width: 195, height: 422),
      ])
  }

  @Test func mapsAndRectanglesAgreeAndComeBack() throws {
    var generator = SplitMix(seed: 31)
    for _ in 0..<500 {
      let size = generator.size(upTo: 65535)
      let viewSize = ViewSize(
        width: Double.random(in: 1...4000, using: &generator),
        height: Double.random(in: 1...4000, using: &generator))
      for mode in ViewContentMode.allCases {
        let view = try ViewGeometry(imageSize: size, viewSize: viewSize, contentMode: mode)
        let rect = generator.region()
        let inView = view.viewRect(for: rect)
        let largest = max(1, abs(inView.x), abs(inView.y), inView.width, inView.height)
        let pixels = rect.toImageCoordinates(size, origin: .upperLeft)
        let corner = view.map(x: pixels.minX, y: pixels.minY)
        #expect(distance(corner, (inView.x, inView.y)) < 1e-9 * largest)
        let far = view.map(x: pixels.maxX, y: pixels.maxY)
        #expect(
          distance(far, (inView.x + inView.width, inView.y + inView.height)) < 1e-9 * largest)
        #expect(distance(view.normalizedRect(for: inView), rect) < 1e-6)

        let center = view.viewPoint(for: rect.center)
        #expect(
          distance(
            (center.x, center.y), (inView.x + inView.width / 2, inView.y + inView.height / 2))
            < 1e-9 * largest)
        let back = view.normalizedPoint(for: center)
        #expect(distance((back.x, back.y), (rect.midX, rect.midY)) < 1e-6)

        let frame = view.imageFrame
        let scale = frame.width / Double(size.width)
        if mode != .resize {
          #expect(abs(frame.height - scale * Double(size.height)) < 1e-9 * max(1, frame.height))
        }
        let (isInside, covers) = (
          frame.width <= viewSize.width && frame.height <= viewSize.height,
          frame.width >= viewSize.width && frame.height >= viewSize.height
        )
        #expect(mode == .aspectFit ? isInside : covers)
      }
    }
  }

  @Test func aGeometryShowsItsUprightImage() throws {
    let geometry = try ImageGeometry(
      storedSize: ImageSize(width: 1920, height: 1080), orientation: .right,
      modelSize: ImageSize(width: 416, height: 416))
    #expect(try geometry.display(in: phone, contentMode: .aspectFill) == view(.aspectFill))
    // Stored pixels go to the view by one composed map: the sensor's upper left is the upper right
    // of the upright image.
    let map = try geometry.map(from: .stored, to: .upright)
      .then(geometry.display(in: phone, contentMode: .resize).map)
    #expect(distance(map(x: 0, y: 0), (390, 0)) < 1e-12)
    #expect(distance(map(x: 1920, y: 0), (390, 844)) < 1e-12)
  }

  @Test func viewsWithoutAreaAreRefused() {
    for (width, height) in [
      (0.0, 1.0), (1, 0), (-1, 1), (.nan, 1), (1, .infinity), (1e300, 1),
      (1, .leastNonzeroMagnitude),
    ] {
      let error = #expect(throws: GeometryError.self) {
        try ViewGeometry(
          imageSize: portrait, viewSize: ViewSize(width: width, height: height),
          contentMode: .resize)
      }
      guard case .invalidViewSize = error else {
        Issue.record("\(width) x \(height) gives \(String(describing: error))")
        continue
      }
    }
    let empty = ImageSize(width: 0, height: 4)
    #expect(throws: GeometryError.invalidImageSize(empty)) {
      try ViewGeometry(imageSize: empty, viewSize: phone, contentMode: .resize)
    }
  }

  @Test func codingChecks() throws {
    let view = try view(.aspectFill)
    let data = try JSONEncoder().encode(view)
    #expect(try JSONDecoder().decode(ViewGeometry.self, from: data) == view)
    let text = try #require(String(bytes: data, encoding: .utf8))
    let damaged = text.replacingOccurrences(of: "390", with: "-390")
    #expect(damaged != text)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ViewGeometry.self, from: Data(damaged.utf8))
    }
  }
}
