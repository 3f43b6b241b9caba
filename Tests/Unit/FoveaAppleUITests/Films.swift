// Fovea - films whose frames are known.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging
import FoveaTestSupport
import Foundation
import UIKit

/// A Motion JPEG of gray frames of 64 x 48: frame n has the level 20 n, and white columns 48...63.
struct GrayFilm {
  let url: URL
  private let folder: TemporaryFolder

  init(frames: Int = 12) throws {
    folder = try TemporaryFolder()
    url = folder.url.appendingPathComponent("gray.mjpeg")
    var bytes: [UInt8] = []
    for index in 0..<frames {
      let rgb = (0..<64 * 48).flatMap { place -> [UInt8] in
        [UInt8](repeating: place % 64 < 48 ? UInt8(20 * index) : 255, count: 3)
      }
      bytes += try Image(width: 64, height: 48, rgb: rgb).jpegBytes(quality: 95)
    }
    try Data(bytes).write(to: url)
  }
}
