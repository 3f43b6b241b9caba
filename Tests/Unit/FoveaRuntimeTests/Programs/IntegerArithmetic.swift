// Fovea - quantized layers in whole numbers, one element at a time: what int8 has to give.
// SPDX-License-Identifier: Apache-2.0

/// Codes of one image, [channels, rows, columns], and what they mean.
struct IntegerImage: Equatable {
  var codes: [Int]
  let channels: Int
  let rows: Int
  let columns: Int
  let meaning: IntegerCodes

  func code(_ channel: Int, _ row: Int, _ column: Int) -> Int {
    codes[(channel * rows + row) * columns + column]
  }

  /// The numbers that the codes stand for.
  var floats: [Float] { codes.map { Float($0 - meaning.zero) * meaning.scale } }

  /// An image of the same size, whose elements are `value` of a channel, a row and a column, rounded.
  func mapped(
    to meaning: IntegerCodes, channels: Int? = nil, _ value: (Int, Int, Int) -> Double
  ) -> IntegerImage {
    var image = IntegerImage(
      codes: [], channels: channels ?? self.channels, rows: rows, columns: columns,
      meaning: meaning)
    for channel in 0..<image.channels {
      for row in 0..<rows {
        for column in 0..<columns {
          image.codes.append(meaning.code(of: value(channel, row, column)))
        }
      }
    }
    return image
  }
}

/// A scale, a zero point and a type of codes.
struct IntegerCodes: Equatable {
  var scale: Float
  var zero: Int
  var isSigned = true

  /// The code of a number; halves go to the even number.
  func code(of value: Double) -> Int {
    let least = isSigned ? -128 : 0
    let rounded = Int((value / Double(scale)).rounded(.toNearestOrEven).clamped(to: -1e6...1e6))
    return min(max(rounded + zero, least), least + 255)
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}

/// A convolution of 3 x 3 at a stride of 1 with a border of zeros. Every output channel reads all
/// channels, or the one of its number.
struct IntegerConvolution {
  /// [outputs, inputs, 3, 3]
  var weights: [Int]
  /// One for each output channel.
  var scales: [Float]
  var bias: [Float]
  var isDepthwise = false

  /// The sum for one element, exact but for the last operations on doubles.
  func value(_ image: IntegerImage, _ channel: Int, _ row: Int, _ column: Int) -> Double {
    var sum = 0
    let inputs = isDepthwise ? 1 : image.channels
    for input in 0..<inputs {
      for tap in 0..<9 {
        let (y, x) = (row + tap / 3 - 1, column + tap % 3 - 1)
        guard (0..<image.rows).contains(y), (0..<image.columns).contains(x) else { continue }
        let code = image.code(isDepthwise ? channel : input, y, x) - image.meaning.zero
        sum += code * weights[(channel * inputs + input) * 9 + tap]
      }
    }
    return Double(image.meaning.scale) * Double(scales[channel]) * Double(sum)
      + Double(bias[channel])
  }
}
