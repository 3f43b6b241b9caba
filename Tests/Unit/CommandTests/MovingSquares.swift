// Fovea - pictures of two squares that pass each other, for tests of tracks and counts.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaExampleModel
import FoveaTestSupport

/// Numbered pictures of 480 x 360 pixels in which a red square goes to the right and a blue one to
/// the left, 8 pixels a picture, 25 pictures a second.
struct MovingSquares {
  static let count = 30
  static let side = 80
  /// The left edges in a picture, and the upper ones, which stay.
  static func red(_ index: Int) -> (x: Int, y: Int) { (20 + 8 * index, 40) }
  static func blue(_ index: Int) -> (x: Int, y: Int) { (380 - 8 * index, 220) }

  /// The name of the pictures, for `fovea watch`.
  let pattern: String

  /// Writes the pictures.
  init(in folder: TemporaryFolder) throws {
    pattern = folder.path("squares-%d.png")
    let ground = [UInt8](repeating: 110, count: ShapesImage.width * ShapesImage.height * 3)
    for index in 0..<Self.count {
      var pixels = ground
      Self.fill(&pixels, Self.red(index), [217, 33, 31])
      Self.fill(&pixels, Self.blue(index), [33, 51, 217])
      _ = try folder.write(
        "squares-\(index).png",
        UncompressedPNG.encode(
          width: ShapesImage.width, height: ShapesImage.height, pixels: pixels))
    }
  }

  /// Lets the same pictures come again behind the last one.
  func repeatPictures(times: Int) throws {
    for index in Self.count..<times * Self.count {
      let path = pattern.replacingOccurrences(of: "%d", with: "\(index)")
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "squares-\(index % Self.count).png")
    }
  }

  private static func fill(_ pixels: inout [UInt8], _ corner: (x: Int, y: Int), _ color: [UInt8]) {
    let row = Array((0..<side).map { _ in color }.joined())
    for y in corner.y..<corner.y + side {
      let start = 3 * (y * ShapesImage.width + corner.x)
      pixels.replaceSubrange(start..<start + row.count, with: row)
    }
  }
}
