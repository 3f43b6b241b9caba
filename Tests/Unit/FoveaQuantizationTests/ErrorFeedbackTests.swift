// Fovea - codes chosen by what a layer reads.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite struct ErrorFeedbackTests {
  @Test func momentsAreThoseOfThePatches() {
    var statistics = ActivationStatistics(groups: 2, size: 2)
    statistics.add([1, 2, 0, 5, 3, -2, 4, 1])
    #expect(statistics.count == 2)
    #expect(statistics.mean(0) == [2, 0])
    #expect(statistics.mean(1) == [2, 3])
    // Group 0 sees (1, 2) and (3, -2); group 1 sees (0, 5) and (4, 1).
    #expect(statistics.moments(0, centered: false) == [5, -2, -2, 4])
    #expect(statistics.moments(0, centered: true) == [1, -2, -2, 4])
    #expect(statistics.moments(1, centered: true) == [4, -4, -4, 4])
  }

  /// An image of stripes and steps.
  private func image(_ seed: UInt64) throws -> Image {
    var random = SplitMix(seed: seed)
    let steps = (0..<3).map { _ in Int.random(in: 3...40, using: &random) }
    let pixels = (0..<16 * 16 * 3).map { index -> UInt8 in
      let (place, channel) = (index / 3, index % 3)
      let noise = Int.random(in: 0...30, using: &random)
      return UInt8(min(255, place % 16 * steps[channel] / 3 + place / 16 * 4 + noise))
    }
    return try Image(width: 16, height: 16, rgb: pixels)
  }

  private func output(_ bytes: [UInt8], _ image: Image) throws -> [Float] {
    let session = try Session(
      model: Model(bytes: bytes, name: "m", options: .init(backend: .reference)))
    let pixels = image.withPixels { span in span.indices.map { span[$0] } }
    try session.setInput("image", to: Tensor(shape: [16, 16, 3], uint8s: pixels))
    session.run()
    return try session.withOutput("z") { span in span.indices.map { span[$0] } }
  }

  /// On images that the calibration has not seen, calibrated codes lose less.
  @Test func calibratedCodesLoseLess() throws {
    let bytes = QuantizedFiles.pipeline()
    let calibrator = try QuantizationCalibrator(bytes: bytes)
    for seed in 1...24 { try calibrator.add(image(UInt64(seed))) }
    #expect(calibrator.imageCount == 24)
    let quantizer = try ModelQuantizer(bytes: bytes)
    for kind in QuantizationOptions.Kind.allCases {
      let options = QuantizationOptions(kind: kind, bits: 3, groupedBits: 5)
      let plain = try quantizer.quantize(options).bytes
      let calibrated = try quantizer.quantize(options, calibrator: calibrator).bytes
      #expect(try quantizer.quantize(options, calibrator: calibrator).bytes == calibrated)
      #expect(plain.count == calibrated.count)
      #expect(try error(calibrated, bytes) < error(plain, bytes), "\(kind)")
    }
  }

  /// A product of each row of pixels with a stored matrix: 48 vectors of 16 numbers in an image.
  private static func matrixProduct(columns: Int) -> [UInt8] {
    let product = QuantizedFiles.layer(1045, "product", "image", "z") { writer in
      writer.integer(5, 16)
      writer.integer(6, columns)
      writer.message(8) {
        $0.floats(1, QuantizedFiles.weights(16 * columns, channels: columns, seed: 6))
      }
    }
    return QuantizedFiles.model(
      version: 4, output: ModelBuilder.array("z", [3, 16, columns]), [product])
  }

  /// Neighboring pixels are alike, which error feedback makes use of.
  @Test func calibratedProductsLoseLess() throws {
    let bytes = Self.matrixProduct(columns: 32)
    let quantizer = try ModelQuantizer(bytes: bytes)
    let calibrator = try quantizer.makeCalibrator()
    for seed in 1...8 { try calibrator.add(image(UInt64(seed))) }
    for kind in QuantizationOptions.Kind.allCases {
      let options = QuantizationOptions(kind: kind, bits: 3)
      let plain = try quantizer.quantize(options).bytes
      let calibrated = try quantizer.quantize(options, calibrator: calibrator).bytes
      #expect(try error(calibrated, bytes) < 0.5 * error(plain, bytes), "\(kind)")
    }
  }

  @Test func calibratorsOfOtherModelsAreRefused() throws {
    let calibrator = try QuantizationCalibrator(bytes: Self.matrixProduct(columns: 8))
    try calibrator.add(image(1))
    #expect(throws: QuantizationError.self) {
      try ModelQuantizer(bytes: QuantizedFiles.pipeline()).quantize(
        .init(bits: 4), calibrator: calibrator)
    }
  }

  /// How far the outputs are from those of `exact`, on images that no calibration has seen.
  private func error(_ bytes: [UInt8], _ exact: [UInt8]) throws -> Double {
    try (101...108).reduce(0) { sum, seed in
      let image = try image(UInt64(seed))
      return sum + distance(try output(bytes, image), try output(exact, image))
    }
  }

  private func distance(_ left: [Float], _ right: [Float]) -> Double {
    zip(left, right).reduce(0.0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
  }
}
