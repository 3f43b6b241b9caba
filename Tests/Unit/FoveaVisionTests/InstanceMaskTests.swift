// Fovea - tests of masks of objects.
// SPDX-License-Identifier: Apache-2.0
import FoveaGeometry
import FoveaShapes
import FoveaTestSupport
import Foundation
import Testing

@Suite struct InstanceMaskTests {
  /// A mask from rows of text, "#" for a pixel of the object.
  static func mask(_ rows: [String]) throws -> InstanceMask {
    let size = ImageSize(width: rows[0].count, height: rows.count)
    let columns = (0..<size.width).map { x in rows.map { Array($0)[x] == "#" } }
    let lengths = runLengths(of: columns.joined())
    return InstanceMask(try #require(MaskRunLengths(imageSize: size, lengths: lengths)))
  }

  // MARK: Run lengths

  /// What pycocotools 2.0.11 writes for these lengths of 100 x 90 pixels.
  @Test func lengthsBecomeTheTextOfCOCO() throws {
    let size = ImageSize(width: 90, height: 100)
    let cases: [([Int], String)] = [
      ([9000], "Xi8"), ([0, 9000], "0Xi8"), ([10, 5, 95, 5, 8885], ":5o20fb8"),
      ([7, 30, 70, 31, 69, 32, 100, 1, 8660], "7n0V21O1o0QO`[8"),
    ]
    for (lengths, text) in cases {
      let runs = try #require(MaskRunLengths(imageSize: size, lengths: lengths))
      #expect(runs.text == text)
      #expect(MaskRunLengths(imageSize: size, text: text) == runs)
    }
  }

  @Test func randomMasksComeBackFromTextAndFromPixels() throws {
    var generator = SplitMix(seed: 5)
    for _ in 0..<30 {
      let size = ImageSize(
        width: Int.random(in: 1...150, using: &generator),
        height: Int.random(in: 1...70, using: &generator))
      var (lengths, left) = ([Int](), size.width * size.height)
      while left > 0 {
        let length = min(left, Int.random(in: 0...400, using: &generator))
        // Only the first run may be empty, so that there is one way to write a mask.
        lengths.append(lengths.isEmpty ? length : max(length, 1))
        left -= lengths[lengths.count - 1]
      }
      let runs = try #require(MaskRunLengths(imageSize: size, lengths: lengths))
      #expect(MaskRunLengths(imageSize: size, text: runs.text) == runs)
      let mask = InstanceMask(runs)
      #expect(mask.runLengths == runs && mask.area == runs.area)
      var place = 0
      for (index, length) in lengths.enumerated() {
        for pixel in place..<place + length {
          let isSet = mask.contains(x: pixel / size.height, y: pixel % size.height)
          if isSet != (index % 2 == 1) { Issue.record("pixel \(pixel) of \(size)") }
        }
        place += length
      }
      let json = try JSONEncoder().encode(mask)
      #expect(try JSONDecoder().decode(InstanceMask.self, from: json) == mask)
    }
  }

  @Test(
    arguments: [
      #"{"size": [2, 3], "counts": [7]}"#, #"{"size": [2, 3], "counts": [-1, 7]}"#,
      #"{"size": [2], "counts": [6]}"#, #"{"size": [2, 3], "counts": "6P"}"#,
      #"{"size": [2, 3], "counts": "ooooooooooooooooooooo"}"#,
      #"{"size": [4000000000, 4000000000], "counts": [0, 6]}"#,
      #"{"size": [100000, 100000], "counts": [0, 10000000000]}"#,
    ])
  func damagedLengthsAreRefused(_ json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(InstanceMask.self, from: Data(json.utf8))
    }
  }

  @Test func intersectionsCountCommonPixels() throws {
    let one = try Self.mask(["##..", "##..", "...."]).runLengths
    let other = try Self.mask([".##.", ".##.", ".##."]).runLengths
    #expect(one.intersection(with: other) == 2)
    #expect(one.intersection(with: one) == 4)
  }

  // MARK: Outlines

  @Test func outlinesGoAroundTheParts() throws {
    let mask = try Self.mask([
      "####...#",
      "#..#....",
      "####..##",
      ".....##.",
    ])
    let corners = mask.polygons.map { ring in ring.map { [$0.x, $0.y] } }
    #expect(
      corners == [
        [[0.5, 0.5], [3.5, 0.5], [3.5, 2.5], [0.5, 2.5]], [[7.5, 0.5]],
        [[6.5, 2.5], [7.5, 2.5], [6.5, 3.5], [5.5, 3.5]],
      ])
    #expect(mask.boundingBox == NormalizedRect(x: 0, y: 0, width: 1, height: 1))
    #expect(try Self.mask(["...", "..."]).polygons.isEmpty)
  }

  // MARK: Sampling

  /// A pixel is looked at by itself, as the rule is told.
  private static func isInside(
    _ x: Int, _ y: Int, _ plane: [Float], _ columns: Int, _ rows: Int, _ map: AffineMap,
    _ input: ImageSize
  ) -> Double {
    let place = map(x: Double(x) + 0.5, y: Double(y) + 0.5)
    let u = min(max(place.x * Double(columns) / Double(input.width) - 0.5, 0), Double(columns - 1))
    let v = min(max(place.y * Double(rows) / Double(input.height) - 0.5, 0), Double(rows - 1))
    let (left, top) = (Int(u), Int(v))
    let (right, bottom) = (min(left + 1, columns - 1), min(top + 1, rows - 1))
    func cell(_ x: Int, _ y: Int) -> Double { Double(plane[y * columns + x]) }
    let (across, down) = (u - Double(left), v - Double(top))
    let above = cell(left, top) * (1 - across) + cell(right, top) * across
    let below = cell(left, bottom) * (1 - across) + cell(right, bottom) * across
    return above * (1 - down) + below * down
  }

  @Test(arguments: 1...8)
  func samplesAreThoseOfTheRule(_ orientation: Int) throws {
    var generator = SplitMix(seed: UInt64(orientation))
    let (columns, rows, count) = (20, 12, 3)
    let planes = (0..<columns * rows * count).map { _ in Float.random(in: -1...1, using: &generator)
    }
    let factors = (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
    let sum = (0..<columns * rows).map { cell in
      (0..<count).reduce(Float(0)) { $0 + factors[$1] * planes[$1 * columns * rows + cell] }
    }
    let input = ImageSize(width: 160, height: 96)
    for action in [ImageCropAndScaleAction.scaleToFill, .scaleToFit, .centerCrop] {
      let geometry = try ImageGeometry(
        storedSize: ImageSize(width: 131, height: 77),
        orientation: #require(ImageOrientation(rawValue: orientation)), cropAndScaleAction: action,
        modelSize: input)
      let size = geometry.uprightSize
      let map = geometry.map(from: .upright, to: .model)
      var sampler = MaskSampler(
        imageSize: size, map: map, inputSize: input, planeColumns: columns, planeRows: rows)
      let box = CornerBox(minX: -3.5, minY: 10.2, maxX: Double(size.width) * 0.8, maxY: 60.5)
      let found = sampler.mask(in: box, factors: factors.span, prototypes: planes.span)
      let mask = try #require(found)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let isInBox =
            Double(x) >= box.minX && Double(x) < box.maxX && Double(y) >= box.minY
            && Double(y) < box.maxY
          let sample = Self.isInside(x, y, sum, columns, rows, map, input)
          guard abs(sample) > 1e-5 || !isInBox else { continue }
          if mask.contains(x: x, y: y) != (isInBox && sample > 0) {
            Issue.record("\(action), \(orientation): pixel \(x), \(y) of \(size)")
            return
          }
        }
      }
    }
  }

  @Test func boxesWithoutPixelsHaveNoMask() {
    let size = ImageSize(width: 8, height: 8)
    let (one, zero): ([Float], [Float]) = ([1], [0])
    var sampler = MaskSampler(
      imageSize: size, map: .identity, inputSize: size, planeColumns: 1, planeRows: 1)
    let edges: [(Double, Double)] = [(2, 2), (3, 2), (9, 12), (-5, 0), (.nan, 4), (2.1, 2.9)]
    for (low, high) in edges {
      let box = CornerBox(minX: low, minY: 0, maxX: high, maxY: 8)
      let mask = sampler.mask(in: box, factors: one.span, prototypes: one.span)
      #expect(mask == nil)
    }
    let all = CornerBox(minX: -.infinity, minY: -1e300, maxX: .infinity, maxY: 1e300)
    let whole = sampler.mask(in: all, factors: one.span, prototypes: one.span)
    #expect(whole?.area == 64)
    let none = sampler.mask(in: all, factors: one.span, prototypes: zero.span)
    #expect(none == nil)
  }
}
