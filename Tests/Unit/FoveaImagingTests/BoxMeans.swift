// Fovea - means of squares of pixels, in double precision.
// SPDX-License-Identifier: Apache-2.0
import FoveaImaging

/// The means of an image's squares of `factor` x `factor` pixels that lie wholly inside.
struct BoxMeans {
  let columns: Int
  let rows: Int
  /// Rows x columns x 3.
  private(set) var samples: [Double] = []

  init(of image: Image, factor: Int) {
    (columns, rows) = (image.width / factor, image.height / factor)
    for place in 0..<rows * columns * 3 {
      let (row, column, channel) = (place / 3 / columns, place / 3 % columns, place % 3)
      var sum = 0
      for y in row * factor..<(row + 1) * factor {
        for x in column * factor..<(column + 1) * factor {
          sum += Int(image.rgb[(y * image.width + x) * 3 + channel])
        }
      }
      samples.append(Double(sum) / Double(factor * factor))
    }
  }

  /// The mean absolute difference to an image of at least as many columns and rows.
  func meanDifference(to image: Image) -> Double {
    var sum = 0.0
    for place in samples.indices {
      let (row, column, channel) = (place / 3 / columns, place / 3 % columns, place % 3)
      let other = image.rgb[(row * image.width + column) * 3 + channel]
      sum += abs(samples[place] - Double(other))
    }
    return sum / Double(samples.count)
  }
}
