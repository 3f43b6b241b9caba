// Fovea - tests of hidden objects.
// SPDX-License-Identifier: Apache-2.0
import FoveaDrawing
import FoveaGeometry
import FoveaImaging
import FoveaShapes
import FoveaTestSupport
import Testing

@Suite("Hidden objects") struct PixelMosaicTests {
  private let size = ImageSize(width: 200, height: 120)

  /// Noise: no two pixels beside each other say the same.
  private func noise() -> Image {
    var random = SplitMix(seed: 5)
    return Image(
      uprightRGB: (0..<size.width * size.height * 3).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      },
      width: size.width, height: size.height)
  }

  /// A number between 0 and 1.
  private func part(_ random: inout SplitMix) -> Double { Double(random.below(1000)) / 1000 }

  /// The mean of a square, in one of 16 levels, from its pixels by a formula of its own.
  private func level(_ image: Image, _ x: Int, _ y: Int, side: Int, channel: Int) -> UInt8 {
    let columns = x / side * side..<min(size.width, (x / side + 1) * side)
    let rows = y / side * side..<min(size.height, (y / side + 1) * side)
    let values = rows.flatMap { row in
      columns.map { Int(image.rgb[(row * size.width + $0) * 3 + channel]) }
    }
    return UInt8(values.reduce(0, +) / values.count / 16 * 16 + 8)
  }

  /// A diamond, whose squares are not those of its box.
  private func diamond() throws -> InstanceMask {
    let columns = (0..<size.width).map { x in
      (0..<size.height).map { y in abs(x - 100) + abs(y - 60) <= 50 }
    }
    return InstanceMask(
      try #require(MaskRunLengths(imageSize: size, lengths: runLengths(of: columns.joined()))))
  }

  @Test func squaresOfMasks() throws {
    let (image, mask) = (noise(), try diamond())
    let hidden = image.hiding([HiddenObject(box: .fullImage, mask: mask)])
    // A fourth of 101 pixels, rounded up to an even number.
    let side = 26
    for y in 0..<size.height {
      for x in 0..<size.width {
        let square = (
          columns: x / side * side..<min(size.width, (x / side + 1) * side),
          rows: y / side * side..<min(size.height, (y / side + 1) * side)
        )
        let isTouched = square.rows.contains { row in
          square.columns.contains { mask.contains(x: $0, y: row) }
        }
        for channel in 0..<3 {
          let place = (y * size.width + x) * 3 + channel
          let wanted =
            isTouched ? level(image, x, y, side: side, channel: channel) : image.rgb[place]
          #expect(hidden.rgb[place] == wanted)
        }
      }
    }
  }

  /// Boxes of all kinds leave no pixel as it was, and few squares.
  @Test func fewSquaresAreLeft() {
    let image = noise()
    var random = SplitMix(seed: 9)
    for _ in 0..<40 {
      let (x, y) = (part(&random) * 0.9, part(&random) * 0.9)
      let box = NormalizedRect(
        x: x, y: y, width: 0.02 + part(&random) * (0.98 - x),
        height: 0.02 + part(&random) * (0.98 - y))
      let hidden = image.hiding([HiddenObject(box: box, mask: nil)])
      let rect = box.toImageCoordinates(size, origin: .upperLeft)
      var colors: Set<[UInt8]> = []
      for row in Int(rect.y)..<min(size.height, Int((rect.y + rect.height).rounded(.up))) {
        for column in Int(rect.x)..<min(size.width, Int((rect.x + rect.width).rounded(.up))) {
          let place = (row * size.width + column) * 3
          let color = Array(hidden.rgb[place..<place + 3])
          #expect(color.allSatisfy { $0 % 16 == 8 })
          colors.insert(color)
        }
      }
      #expect((1...90).contains(colors.count))
    }
  }

  /// What lies outside of the image, or nowhere, hides nothing and ends nothing.
  @Test(arguments: [
    NormalizedRect(x: 2, y: 0, width: 1, height: 1),
    NormalizedRect(x: 0, y: 0, width: -1, height: 1),
    NormalizedRect(x: .nan, y: 0, width: 1, height: 1),
    NormalizedRect(x: 0, y: 0.5, width: .infinity, height: 0),
  ])
  func boxesOfNothing(_ box: NormalizedRect) {
    #expect(noise().hiding([HiddenObject(box: box, mask: nil)]) == noise() || !box.width.isFinite)
    #expect(noise().cropped(to: box) == nil || box.width.isInfinite)
  }

  @Test func partsAreTheirPixels() throws {
    let image = noise()
    let box = NormalizedRect(x: 0.1, y: 0.25, width: 0.3, height: 0.5)
    let part = try #require(image.cropped(to: box))
    #expect(part.width == 60 && part.height == 60)
    for (x, y) in [(0, 0), (59, 0), (31, 17), (59, 59)] {
      let (own, whole) = ((y * 60 + x) * 3, ((y + 30) * size.width + x + 20) * 3)
      #expect(part.rgb[own..<own + 3].elementsEqual(image.rgb[whole..<whole + 3]))
    }
  }
}
