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

  /// Has seen the first pictures of `coco128-train`, in the order that is asked for.
  static func calibrator(
    _ path: String, pictures: Int = 16, reversed: Bool = false, threads: Int = 2
  ) throws -> ActivationCalibrator {
    let folder = "coco128-train/images"
    let names = try SharedData.files(in: folder, suffix: ".jpg").prefix(pictures)
    let calibrator = try ActivationCalibrator(
      modelAt: path, pool: ThreadPool(threadCount: threads))
    for name in reversed ? names.reversed() : Array(names) {
      try calibrator.add(Picture(contentsOf: SharedData.url("\(folder)/\(name)").path))
    }
    return calibrator
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

  /// Decibels of the float scores over the difference, on photographs that no calibration has seen.
  /// Codes by the least and the greatest value of whole activations have 10.8, 11.3 and 7.8.
  @Test(arguments: [
    ("yolo-fastest-1.1-xl", "raw_confidence", 12.0),
    ("yolo-fastest-1.1-xl-Int8LUT", "raw_confidence", 14.0),
    ("yolo-fastest-1.1-raw", "confidence", 17.0),
  ])
  func scoresAreNearThoseOfFloat(_ model: String, _ output: String, _ least: Double) throws {
    let path = SharedData.url("models/\(model).mlmodel").path
    let expected = try Self.confidences(path, Model.Options(backend: .float), output: output)
    let calibrator = try Self.calibrator(path)
    let kept = LayerSensitivity.kept(try calibrator.sensitivities(), budget: 0.05)
    let options = Model.Options(
      backend: .int8, activationRanges: calibrator.ranges, floatLayers: Set(kept.map(\.layer)))
    let found = try Self.confidences(path, options, output: output)
    let decibels = Self.signalToNoise(found, expected)
    #expect(decibels > least, "\(decibels) dB")
  }

  private static func signalToNoise(_ found: [Float], _ expected: [Float]) -> Double {
    var signal = 0.0, noise = 0.0
    for (a, b) in zip(found, expected) {
      signal += Double(b) * Double(b)
      noise += Double(a - b) * Double(a - b)
    }
    return 10 * log10(signal / noise)
  }

  /// Without any picture of the task: synthetic ones say which channels are large, every frame its ranges.
  @Test(arguments: [
    ("yolo-fastest-1.1-xl", "raw_confidence", 0.0),
    ("yolo-fastest-1.1-xl-Int8LUT", "raw_confidence", 0.0),
    ("yolo-fastest-1.1-raw", "confidence", 0.0),
  ])
  func scoresWithoutCalibrationAreNearThoseOfFloat(
    _ model: String, _ output: String, _ least: Double
  ) throws {
    let path = SharedData.url("models/\(model).mlmodel").path
    let expected = try Self.confidences(path, Model.Options(backend: .float), output: output)
    let found = try Self.confidences(path, Model.Options(backend: .int8), output: output)
    let decibels = Self.signalToNoise(found, expected)
    #expect(decibels > least, "\(decibels) dB")
  }

  @Test func rangesDependOnThePicturesOnly() throws {
    let path = SharedData.url("models/yolo-fastest-1.1-raw.mlmodel").path
    let expected = try Self.calibrator(path, pictures: 4).ranges
    #expect(try Self.calibrator(path, pictures: 4, reversed: true).ranges == expected)
    #expect(try Self.calibrator(path, pictures: 4, threads: 1).ranges == expected)
  }
}
