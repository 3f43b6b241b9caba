// Fovea - images for a long run: several sizes and formats, some of them broken.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea

/// Files in memory that a long run shows its detectors in turn.
struct SoakImages {
  /// Sizes in pixels: smaller and larger than an input, wide and high.
  private static let sizes = [(640, 480), (96, 128), (1280, 720), (417, 415), (31, 900)]

  let sound: [[UInt8]]
  let broken: [[UInt8]]

  /// Noise in every size as JPEG and PNG; the broken ones end early, or are no images.
  ///
  /// - Throws: `ImageError` where the build cannot write them.
  init() throws {
    var noise = NoiseGenerator()
    var files: [[UInt8]] = []
    for (width, height) in Self.sizes {
      // Blocks of one color: as large a file as that of a photograph.
      let colors = (0..<64).map { _ in (noise.byte(), noise.byte(), noise.byte()) }
      let rgb = (0..<width * height).flatMap { place -> [UInt8] in
        let color = colors[(place % width / 24 * 7 + place / width / 16 * 13) % 64]
        return [color.0, color.1, color.2]
      }
      let image = try Image(width: width, height: height, rgb: rgb)
      files += [try image.jpegBytes(), try image.pngBytes()]
    }
    sound = files
    broken =
      files.map { Array($0.prefix($0.count / 3)) } + [[], Array("no image".utf8)]
      + files.prefix(2).map { $0.enumerated().map { $0 % 97 == 50 ? 0xFF : $1 } }
  }
}
