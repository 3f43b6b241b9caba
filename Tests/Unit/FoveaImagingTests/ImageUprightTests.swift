// Fovea - tests of turning an image upright.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import Testing

@Suite struct ImageUprightTests {
  /// Upright rows of the stored image 1 2 3 over 4 5 6, turned by hand.
  static let turned: [Int: [[UInt8]]] = [
    1: [[1, 2, 3], [4, 5, 6]], 2: [[3, 2, 1], [6, 5, 4]],
    3: [[6, 5, 4], [3, 2, 1]], 4: [[4, 5, 6], [1, 2, 3]],
    5: [[1, 4], [2, 5], [3, 6]], 6: [[4, 1], [5, 2], [6, 3]],
    7: [[6, 3], [5, 2], [4, 1]], 8: [[3, 6], [2, 5], [1, 4]],
  ]

  private func samples(_ pixels: [UInt8]) -> [UInt8] {
    pixels.flatMap { [$0, $0 + 100, 255 - $0] }
  }

  @Test(arguments: 1...8)
  func anImageOfThreeByTwo(orientation: Int) throws {
    let stored = try Image(
      width: 3, height: 2, rgb: samples([1, 2, 3, 4, 5, 6]), storedOrientation: orientation)
    let expected = try #require(Self.turned[orientation])
    let upright = stored.upright()
    #expect(upright.width == expected[0].count && upright.height == expected.count)
    #expect(stored.uprightWidth == upright.width && stored.uprightHeight == upright.height)
    #expect(upright.rgb == samples(Array(expected.joined())))
    #expect(upright.storedOrientation == 1)
    #expect(upright.upright() == upright)
  }

  @Test func invalidOrientationsCountAsUpright() throws {
    for orientation in [0, 9, -1, .max] {
      let image = try Image(
        width: 1, height: 1, rgb: [1, 2, 3], storedOrientation: orientation)
      #expect(image.storedOrientation == 1 && !image.swapsSides)
    }
  }

  @Test func samplesMustFitTheSize() {
    for (width, height, count) in [(1, 1, 2), (2, 2, 4), (1, 1, 6), (.max, .max, 3)] {
      #expect(throws: ImageError.self) {
        try Image(width: width, height: height, rgb: .init(repeating: 0, count: count))
      }
    }
    for (width, height) in [(0, 1), (1, 0), (-1, -1), (.min, 1)] {
      #expect(throws: ImageError(.noPixels(width: width, height: height))) {
        try Image(width: width, height: height, rgb: [1, 2, 3])
      }
    }
  }

  @Test func pixelsAreLentWithoutCopying() throws {
    let image = try Image(width: 2, height: 1, rgb: [1, 2, 3, 4, 5, 6])
    #expect(image.withPixels { $0.count } == 6)
    #expect(image.withPixels { $0[4] } == 5)
  }
}
