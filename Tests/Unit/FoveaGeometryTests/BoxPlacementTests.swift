// Fovea - tests that images and boxes land where an image moved by hand has them.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import Testing

/// What a network sees, computed with whole numbers and without the geometry under test.
///
/// Image sides are odd and the input's are even, so that the center of no pixel of the input
/// falls on the edge of a pixel or on the middle of the image: every answer is exact.
struct SeenByHand {
  let upright: ImageSize
  let region: (x: Int, y: Int, width: Int, height: Int)  // pixels from the upper left
  let model: ImageSize
  let choice: GeometryChoice

  /// The position in the upright image that the pixel (i, j) of the input shows, as a numerator
  /// over `denominator`; `nil` in the padding.
  func position(_ i: Int, _ j: Int) -> (x: Int, y: Int)? {
    let turns = choice.action.rawValue.hasSuffix("Rotation")
    let (width, height) = turns ? (region.height, region.width) : (region.width, region.height)
    let u = along(i, model.width, width, other: (model.height, height))
    let v = along(j, model.height, height, other: (model.width, width))
    let isInside =
      (0..<width * denominator).contains(u) && (0..<height * denominator).contains(v)
    guard isInside else { return nil }
    // Turned counterclockwise: the top of the input is the right edge of the image.
    let (x, y) = turns ? (region.width * denominator - v, u) : (u, v)
    return (x + region.x * denominator, y + region.y * denominator)
  }

  /// Common to all positions.
  var denominator: Int { 2 * model.width * model.height }

  /// The position along one axis, over `denominator`: (index + 1/2) scaled, and shifted where the
  /// image is not as long as the input.
  private func along(
    _ index: Int, _ count: Int, _ length: Int, other: (count: Int, length: Int)
  ) -> Int {
    let own = (2 * index + 1) * length * other.count
    let byOther = (2 * index + 1) * other.length * count
    let shift = length * count * other.count - count * other.length * count
    let isRelativelyLonger = length * other.count > other.length * count
    return switch (choice.action, isRelativelyLonger, choice.anchor) {
    case (.scaleToFill, _, _), (.scaleToFillPlus90CCWRotation, _, _): own
    // The scale of the other axis, about the middle.
    case (.centerCrop, true, _): byOther + shift
    case (.centerCrop, false, _): own
    case (_, true, _): own
    case (_, false, .centered): byOther + shift
    case (_, false, .upperLeft): byOther
    }
  }
}

@Suite struct BoxPlacementTests {
  /// The whole image and its four quarters, from the lower left.
  static let testBoxes = [
    NormalizedRect(x: 0, y: 0, width: 1, height: 1),
    NormalizedRect(x: 0, y: 0, width: 0.5, height: 0.5),
    NormalizedRect(x: 0, y: 0.5, width: 0.5, height: 0.5),
    NormalizedRect(x: 0.5, y: 0, width: 0.5, height: 0.5),
    NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5),
  ]

  static let sizes: [(upright: ImageSize, region: (x: Int, y: Int, width: Int, height: Int))] = [
    (ImageSize(width: 37, height: 21), (0, 0, 37, 21)),
    (ImageSize(width: 15, height: 33), (0, 0, 15, 33)),
    (ImageSize(width: 29, height: 31), (4, 9, 21, 13)),
    (ImageSize(width: 1, height: 1), (0, 0, 1, 1)),
  ]
  static let models = [
    ImageSize(width: 16, height: 16), ImageSize(width: 24, height: 14),
    ImageSize(width: 10, height: 40),
  ]

  private func forAllImages(
    _ choice: GeometryChoice, _ body: (ImageGeometry, SeenByHand) throws -> Void
  ) throws {
    for (upright, region) in Self.sizes {
      let pixels = ImageRect(
        x: Double(region.x), y: Double(region.y), width: Double(region.width),
        height: Double(region.height), origin: .upperLeft)
      for model in Self.models {
        try body(
          choice.geometry(
            upright: upright, region: NormalizedRect(imageRect: pixels, in: upright),
            model: model),
          SeenByHand(upright: upright, region: region, model: model, choice: choice))
      }
    }
  }

  /// For each pixel of the stored image the upright pixel it holds. EXIF says which upright side
  /// row 0 and column 0 are: 1 top left, 2 top right, 3 bottom right, 4 bottom left, 5 left top,
  /// 6 right top, 7 right bottom, 8 left bottom.
  private func storedPixels(_ upright: ImageSize, _ orientation: ImageOrientation) -> [[[Int]]] {
    let rows = (0..<upright.height).map { y in (0..<upright.width).map { x in [x, y] } }
    let columns = (0..<upright.width).map { x in (0..<upright.height).map { y in [x, y] } }
    return switch orientation.rawValue {
    case 1: rows
    case 2: rows.map { $0.reversed() }
    case 3: rows.reversed().map { $0.reversed() }
    case 4: rows.reversed()
    case 5: columns
    case 6: columns.reversed()
    case 7: columns.reversed().map { $0.reversed() }
    default: columns.map { $0.reversed() }
    }
  }

  @Test(arguments: GeometryChoice.all)
  func samplingReadsThePixelsThatTheNetworkMustSee(_ choice: GeometryChoice) throws {
    try forAllImages(choice) { geometry, hand in
      let stored = storedPixels(hand.upright, choice.orientation)
      let sampling = try geometry.sampling()
      var touched = (columns: Set<Int>(), rows: Set<Int>())
      for j in 0..<hand.model.height {
        for i in 0..<hand.model.width {
          let isContent = sampling.contentColumns.contains(i) && sampling.contentRows.contains(j)
          guard let (x, y) = hand.position(i, j) else {
            #expect(!isContent)
            continue
          }
          #expect(isContent)
          let source = sampling.map(x: Double(i) + 0.5, y: Double(j) + 0.5)
          let (column, row) = (Int(source.x), Int(source.y))
          try #require(stored.indices.contains(row) && stored[row].indices.contains(column))
          #expect(stored[row][column] == [x / hand.denominator, y / hand.denominator])
          touched.columns.insert(column)
          touched.rows.insert(row)
        }
      }
      #expect(touched.columns.isSubset(of: sampling.sourceColumns))
      #expect(touched.rows.isSubset(of: sampling.sourceRows))
      let crop = geometry.convert(geometry.cropRect, from: .upright, to: .stored)
      #expect(sampling.sourceColumns.count <= Int(crop.width) + 2)
      #expect(sampling.sourceRows.count <= Int(crop.height) + 2)
    }
  }

  @Test(arguments: GeometryChoice.all)
  func testBoxesCoverThePixelsOfTheirPart(_ choice: GeometryChoice) throws {
    try forAllImages(choice) { geometry, hand in
      for box in Self.testBoxes {
        let inModel = geometry.convert(box, from: .upright, to: .model)
          .toImageCoordinates(hand.model, origin: .upperLeft)
        for j in 0..<hand.model.height {
          for i in 0..<hand.model.width {
            guard let (x, y) = hand.position(i, j) else { continue }
            // Halves of the upright image, y from the top.
            let isRight = 2 * x > hand.upright.width * hand.denominator
            let isUpper = 2 * y < hand.upright.height * hand.denominator
            let expected =
              box.width == 1 || (isRight == (box.x == 0.5) && isUpper == (box.y == 0.5))
            let (centerX, centerY) = (Double(i) + 0.5, Double(j) + 0.5)
            let found =
              centerX > inModel.minX && centerX < inModel.maxX && centerY > inModel.minY
              && centerY < inModel.maxY
            #expect(found == expected, "\(choice) \(hand.upright) \(hand.model) \(box) \(i) \(j)")
          }
        }
      }
    }
  }

  @Test(arguments: GeometryChoice.all)
  func testBoxesComeBackToTheImage(_ choice: GeometryChoice) throws {
    try forAllImages(choice) { geometry, _ in
      for box in Self.testBoxes {
        for space in ImageSpace.allCases {
          let there = geometry.convert(box, from: .upright, to: space)
          #expect(distance(geometry.convert(there, from: space, to: .upright), box) < 1e-12)
        }
      }
      // The border of the stored image is the border of the upright one, however it is turned.
      let whole = geometry.convert(NormalizedRect.fullImage, from: .upright, to: .stored)
      #expect(whole == .fullImage)
    }
  }

  /// Which quarter of the stored image holds the upper left quarter of the upright one.
  @Test func theUpperLeftQuarterIsStoredWhereEXIFSays() throws {
    // Row 0 of the stored image is the upright side named first, column 0 the one named second:
    // 1 top left, 2 top right, 3 bottom right, 4 bottom left, 5 left top, 6 right top,
    // 7 right bottom, 8 left bottom.
    let expected: [Int: (x: Double, y: Double)] = [
      1: (0, 0.5), 2: (0.5, 0.5), 3: (0.5, 0), 4: (0, 0), 5: (0, 0.5), 6: (0, 0), 7: (0.5, 0),
      8: (0.5, 0.5),
    ]
    for orientation in ImageOrientation.allCases {
      let geometry = try ImageGeometry(
        storedSize: ImageSize(width: 640, height: 480), orientation: orientation,
        modelSize: ImageSize(width: 416, height: 416))
      let upperLeft = NormalizedRect(x: 0, y: 0.5, width: 0.5, height: 0.5)
      let stored = geometry.convert(upperLeft, from: .upright, to: .stored)
      let corner = try #require(expected[orientation.rawValue])
      #expect(stored == NormalizedRect(x: corner.x, y: corner.y, width: 0.5, height: 0.5))
    }
  }
}
