// Fovea - tests of what a calibrated int8 model loses, on real networks and photographs.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Not optimised, sixteen pictures take minutes.
private let runsAreFast: Bool = {
  #if DEBUG
    false
  #else
    true
  #endif
}()

@Suite(.enabled(if: SharedData.isPresent && runsAreFast))
struct CalibrationAccuracyTests {
  static let photographs = ["dog", "person", "horses", "eagle", "giraffe"]

  /// Ranges over the first pictures of `coco128-train`, in the order that is asked for.
  static func ranges(
    _ path: String, pictures: Int = 16, reversed: Bool = false, threads: Int = 2
  ) throws -> ActivationRanges {
    let folder = "coco128-train/images"
    let names = try SharedData.files(in: folder, suffix: ".jpg").prefix(pictures)
    let calibrator = try ActivationCalibrator(
      modelAt: path, pool: ThreadPool(threadCount: threads))
    for name in reversed ? names.reversed() : Array(names) {
      try calibrator.add(Picture(contentsOf: SharedData.url("\(folder)/\(name)").path))
    }
    return calibrator.ranges
  }

  static func confidences(
    _ path: String, _ options: Model.Options, output: String
  ) throws -> [Float] {
    let session = try Session(model: Model(contentsOf: path, options: options))
    return try photographs.flatMap { name in
      let input = SharedData.url("references/inputs/\(name)-320x320.npy").path
      try session.setInput("image", to: Tensor(contentsOfNPY: input))
      session.run()
      return try session.output(output).floats()
    }
  }

  /// Decibels of the float scores over the difference, on photographs that no calibration has seen. Codes
  /// of whole activations by their least and greatest values, which is what channels that differ
  /// suffer from, have MINMAX_XL and MINMAX_RAW.
  @Test(arguments: [
    ("yolo-fastest-1.1-xl", "raw_confidence", 10.0),
    ("yolo-fastest-1.1-xl-Int8LUT", "raw_confidence", 10.0),
    ("yolo-fastest-1.1-raw", "confidence", 10.0),
  ])
  func scoresAreNearThoseOfFloat(_ model: String, _ output: String, _ least: Double) throws {
    let path = SharedData.url("models/\(model).mlmodel").path
    let expected = try Self.confidences(path, Model.Options(backend: .float), output: output)
    let options = Model.Options(backend: .int8, activationRanges: try Self.ranges(path))
    let found = try Self.confidences(path, options, output: output)
    var signal = 0.0, noise = 0.0
    for (a, b) in zip(found, expected) {
      signal += Double(b) * Double(b)
      noise += Double(a - b) * Double(a - b)
    }
    let decibels = 10 * log10(signal / noise)
    #expect(decibels > least, "\(decibels) dB")
  }

  @Test func rangesDependOnThePicturesOnly() throws {
    let path = SharedData.url("models/yolo-fastest-1.1-raw.mlmodel").path
    let expected = try Self.ranges(path, pictures: 4)
    #expect(try Self.ranges(path, pictures: 4, reversed: true) == expected)
    #expect(try Self.ranges(path, pictures: 4, threads: 1) == expected)
  }
}
