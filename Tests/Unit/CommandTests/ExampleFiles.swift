// Fovea - the example's files, for tests of the command.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel

/// The example's files in a folder of their own.
struct ExampleFiles {
  let folder: TemporaryFolder
  let model: String
  let image: String
  let shapes = ShapesImage()

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("shapes.mlmodel", ShapesDetector.modelBytes())
    image = try folder.write(
      "shapes.png",
      UncompressedPNG.encode(
        width: ShapesImage.width, height: ShapesImage.height, pixels: shapes.pixels))
  }

  func remove() { folder.remove() }

  /// Whether `box`, [x, y, width, height] in pixels, overlaps an object by more than half.
  static func matches(_ box: [Double], _ object: ShapesImage.Object) -> Bool {
    guard box.count == 4 else { return false }
    let found = CornerBox(
      minX: box[0], minY: box[1], maxX: box[0] + box[2], maxY: box[1] + box[3])
    let (x, y, side) = (Double(object.x), Double(object.y), Double(object.side))
    let drawn = CornerBox(minX: x, minY: y, maxX: x + side, maxY: y + side)
    return found.intersectionOverUnion(with: drawn) > 0.5
  }
}
