// Fovea - tests of scaling a picture.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import FoveaTestSupport
import Testing

/// A picture in memory of exactly the bytes it needs.
private struct Picture: Equatable {
  var width: Int
  var height: Int
  var channels: Int
  var rowBytes: Int
  var bytes: [UInt8]

  /// Random bytes, also between the rows; now and then only the extremes 0 and 255.
  init(
    width: Int, height: Int, channels: Int, gap: Int = 0, using random: inout SplitMix
  ) {
    self.width = width
    self.height = height
    self.channels = channels
    rowBytes = width * channels + gap
    let extremes = Int.random(in: 0..<4, using: &random) == 0
    bytes = (0..<((height - 1) * rowBytes + width * channels)).map { _ in
      extremes ? (Bool.random(using: &random) ? 0 : 255) : UInt8.random(in: 0...255, using: &random)
    }
  }

  func value(_ y: Int, _ x: Int, _ channel: Int) -> Double {
    Double(bytes[y * rowBytes + x * channels + channel])
  }

  var dense: [UInt8] {
    (0..<height).flatMap { bytes[($0 * rowBytes)..<($0 * rowBytes + width * channels)] }
  }
}

private func resize(_ picture: Picture, width: Int, height: Int, channels: Int) throws -> [UInt8] {
  // A byte beyond the output that must stay as it is.
  var output = [UInt8](repeating: 0xA5, count: width * height * channels + 1)
  let status = picture.bytes.withUnsafeBufferPointer { source in
    var image = fov_image(
      data: source.baseAddress!, data_bytes: source.count, width: picture.width,
      height: picture.height, channels: picture.channels, row_bytes: picture.rowBytes)
    return fov_image_resize(&image, width, height, channels, &output, output.count - 1)
  }
  try #require(status == .ok)
  #expect(output.removeLast() == 0xA5)
  return output
}

/// The formula of the header, written down once more without regard to speed.
private func oracle(_ picture: Picture, width: Int, height: Int, channels: Int) -> [UInt8] {
  func axis(_ index: Int, _ source: Int, _ output: Int) -> (low: Int, high: Int, weight: Double) {
    let position = (Double(index) + 0.5) * Double(source) / Double(output) - 0.5
    let clamped = min(max(position, 0), Double(source - 1))
    let low = Int(clamped.rounded(.down))
    return (low, min(low + 1, source - 1), clamped - Double(low))
  }
  var result: [UInt8] = []
  for outputRow in 0..<height {
    let y = axis(outputRow, picture.height, height)
    for outputColumn in 0..<width {
      let x = axis(outputColumn, picture.width, width)
      let mixes = (0..<picture.channels).map { channel in
        let top =
          picture.value(y.low, x.low, channel) * (1 - x.weight)
          + picture.value(y.low, x.high, channel) * x.weight
        let bottom =
          picture.value(y.high, x.low, channel) * (1 - x.weight)
          + picture.value(y.high, x.high, channel) * x.weight
        return top * (1 - y.weight) + bottom * y.weight
      }
      let values: [Double]
      switch (picture.channels, channels) {
      case (3, 1): values = [0.299 * mixes[0] + 0.587 * mixes[1] + 0.114 * mixes[2]]
      case (1, 3): values = [mixes[0], mixes[0], mixes[0]]
      default: values = mixes
      }
      result += values.map { UInt8(($0 + 0.5).rounded(.down)) }
    }
  }
  return result
}

@Suite("Image resize: values")
struct ImageResizeTests {
  @Test(arguments: [(1, 1), (1, 3), (3, 1), (3, 3)])
  func equalsTheFormula(sourceChannels: Int, channels: Int) throws {
    var random = SplitMix(seed: UInt64(sourceChannels * 10 + channels))
    for _ in 0..<150 {
      let picture = Picture(
        width: Int.random(in: 1...40, using: &random),
        height: Int.random(in: 1...40, using: &random), channels: sourceChannels,
        gap: Int.random(in: 0...9, using: &random), using: &random)
      let width = Int.random(in: 1...40, using: &random)
      let height = Int.random(in: 1...40, using: &random)
      let result = try resize(picture, width: width, height: height, channels: channels)
      #expect(result == oracle(picture, width: width, height: height, channels: channels))
    }
  }

  /// Widths around the number of columns that are computed together, and pictures of one column or
  /// row, in both directions.
  @Test(arguments: [
    (1, 1, 1, 1), (1, 1, 7, 5), (7, 5, 1, 1), (1, 9, 3, 4), (9, 1, 4, 3), (1, 300, 300, 1),
    (300, 1, 1, 300), (2, 2, 127, 3), (2, 2, 128, 3), (2, 2, 129, 3), (500, 3, 257, 2),
    (1000, 2, 416, 3), (33, 21, 320, 10),
  ])
  func oddSizes(width: Int, height: Int, outputWidth: Int, outputHeight: Int) throws {
    var random = SplitMix(seed: UInt64(width * 1000 + outputWidth))
    for channels in [1, 3] {
      let picture = Picture(width: width, height: height, channels: channels, using: &random)
      let result = try resize(picture, width: outputWidth, height: outputHeight, channels: channels)
      let expected = oracle(picture, width: outputWidth, height: outputHeight, channels: channels)
      #expect(result == expected)
    }
  }

  @Test(arguments: [(1, 1, 3), (5, 3, 1), (17, 31, 3), (416, 9, 3), (129, 2, 1)])
  func sameSizeIsTheIdentity(width: Int, height: Int, channels: Int) throws {
    var random = SplitMix(seed: 5)
    let picture = Picture(
      width: width, height: height, channels: channels, gap: 6, using: &random)
    let result = try resize(picture, width: width, height: height, channels: channels)
    #expect(result == picture.dense)
  }

  /// By hand: centres of 4 in 2 lie at -0.25, 0.25, 0.75, 1.25; clamped at both ends.
  @Test func doublingByHand() throws {
    var random = SplitMix(seed: 1)
    var picture = Picture(width: 2, height: 1, channels: 1, using: &random)
    picture.bytes = [0, 100]
    #expect(try resize(picture, width: 4, height: 1, channels: 1) == [0, 25, 75, 100])
  }

  /// By hand: centres of 2 in 8 lie at 1.5 and 5.5; between them nothing is looked at.
  @Test func shrinkingHasNoLowPassFilter() throws {
    var random = SplitMix(seed: 1)
    var picture = Picture(width: 8, height: 1, channels: 1, using: &random)
    picture.bytes = [255, 10, 20, 255, 255, 30, 41, 255]
    #expect(try resize(picture, width: 2, height: 1, channels: 1) == [15, 36])
  }

  @Test func greyOfPureColours() throws {
    var random = SplitMix(seed: 1)
    var picture = Picture(width: 4, height: 1, channels: 3, using: &random)
    picture.bytes = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]
    #expect(try resize(picture, width: 4, height: 1, channels: 1) == [76, 150, 29, 255])
  }
}

@Suite("Image resize: refusals")
struct ImageResizeRefusalTests {
  private struct Call {
    var dataBytes = 24
    var size = (width: 4, height: 2)
    var channels = 3
    var rowBytes = 12
    var output = (width: 2, height: 2, channels: 3, bytes: 12)
  }

  private func status(_ change: (inout Call) -> Void) -> fov_status {
    var call = Call()
    change(&call)
    let data = [UInt8](repeating: 9, count: 24)
    var output = [UInt8](repeating: 0xA5, count: 12)
    let status = data.withUnsafeBufferPointer { source in
      var image = fov_image(
        data: source.baseAddress!, data_bytes: call.dataBytes, width: call.size.width,
        height: call.size.height, channels: call.channels, row_bytes: call.rowBytes)
      return fov_image_resize(
        &image, call.output.width, call.output.height, call.output.channels, &output,
        call.output.bytes)
    }
    if status != .ok { #expect(output.allSatisfy { $0 == 0xA5 }) }
    return status
  }

  @Test func unchangedCallWorks() {
    #expect(status { _ in } == .ok)
  }

  @Test func sizesOfZero() {
    #expect(status { $0.size.width = 0 } == .invalid_argument)
    #expect(status { $0.size.height = 0 } == .invalid_argument)
    #expect(status { $0.output.width = 0 } == .invalid_argument)
    #expect(status { $0.output.height = 0 } == .invalid_argument)
  }

  @Test(arguments: [0, 2, 4, -1])
  func channelsOtherThanOneAndThree(channels: Int) {
    #expect(status { $0.channels = channels } == .invalid_argument)
    #expect(status { $0.output.channels = channels } == .invalid_argument)
  }

  @Test func rowsThatOverlap() {
    #expect(status { $0.rowBytes = 11 } == .invalid_argument)
    #expect(status { $0.rowBytes = 0 } == .invalid_argument)
  }

  @Test func dataThatEndsEarly() {
    #expect(status { $0.dataBytes = 23 } == .buffer_too_small)
    #expect(status { $0.dataBytes = 0 } == .buffer_too_small)
    #expect(status { $0.rowBytes = 13 } == .buffer_too_small)
    #expect(status { $0.size.height = 3 } == .buffer_too_small)
  }

  @Test func outputThatIsTooSmall() {
    #expect(status { $0.output.bytes = 11 } == .buffer_too_small)
    #expect(status { $0.output.width = 3 } == .buffer_too_small)
    #expect(status { $0.output.height = 1 << 40 } == .buffer_too_small)
  }

  /// Negative numbers stand for the upper half of `size_t`.
  @Test func sizesThatDoNotFit() {
    #expect(status { $0.size.width = -1 } == .overflow)
    #expect(
      status {
        $0.rowBytes = Int.min; $0.size.height = 4
      } == .overflow)
    #expect(status { $0.size.height = Int.max } == .overflow)
    #expect(status { $0.output.width = -1 } == .overflow)
    #expect(
      status {
        $0.output.width = 1 << 32; $0.output.height = 1 << 32
      } == .overflow)
  }
}
