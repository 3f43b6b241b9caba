// Fovea - tests of what a calibrated int8 model loses, on real networks and photographs.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaQuantization
import FoveaTestSupport
import FoveaVision
import Testing

@Suite(.enabled(if: SharedData.isPresent && BuildConfiguration.isSwiftOptimized))
struct CalibrationAccuracyTests {
  static let photographs = ["dog", "person", "horses", "eagle", "giraffe"]

  /// Has seen the first images of `coco128-train`, in the order that is asked for.
  static func calibrator(
    _ path: String, images: Int = 16, reversed: Bool = false, threads: Int = 2
  ) throws -> ActivationCalibrator {
    let folder = "coco128-train/images"
    let names = try SharedData.files(in: folder, suffix: ".jpg").prefix(images)
    let calibrator = try ActivationCalibrator(
      contentsOf: path, pool: ThreadPool(threadCount: threads))
    for name in reversed ? names.reversed() : Array(names) {
      try calibrator.add(Image(contentsOf: SharedData.url("\(folder)/\(name)").path))
    }
    return calibrator
  }

  /// Photographs that no calibration here has seen: five, and 32 of `coco128-train`.
  static func unseenInputs() throws -> [Image] {
    let folder = "coco128-train/images"
    let names = try SharedData.files(in: folder, suffix: ".jpg").dropFirst(16).prefix(32)
    let paths = photographs.map { "images/\($0).jpg" } + names.map { "\(folder)/\($0)" }
    return try paths.map { try Image(contentsOf: SharedData.url($0).path) }
  }

  /// The scores of all boxes of every image.
  static func scores(
    _ path: String, _ options: Model.Options, of images: [Image]
  ) throws -> [[Float]] {
    let model = try Model(contentsOf: path, options: options)
    let session = try ImageSession(model: model, pool: ThreadPool())
    let output = try #require(model.outputs.first { $0.name.hasSuffix("confidence") })
    return try images.map { image in
      try session.run(image)
      return try session.session.output(output.name).floats()
    }
  }

  /// Decibels of float's scores over the difference: the mean of the images, so that no single box decides.
  static func signalToNoise(
    _ path: String, _ options: Model.Options, of images: [Image]
  ) throws -> Double {
    let expected = try scores(path, Model.Options(backend: .float), of: images)
    let found = try scores(path, options, of: images)
    return zip(found, expected).reduce(0.0) { sum, pair in
      var signal = 0.0, noise = 0.0
      for (a, b) in zip(pair.0, pair.1) {
        signal += Double(b) * Double(b)
        noise += Double(a - b) * Double(a - b)
      }
      return sum + 10 * log10(signal / noise) / Double(images.count)
    }
  }

  /// The names of models, and the least decibels without calibration, with one, and with one that leaves a
  /// twentieth of the products to floats, and 35 % to 16 bits besides. Weights that are rounded one by one, channels with one zero
  /// point and equalization by square roots alone have 12.2, 14.4, 17.2; 11.8, 15.3, 17.9; 14.9, 15.2, 16.8.
  static let leastDecibels = [
    ("yolo-fastest-1.1-raw", [17.2, 15.4, 17.3, 24.4]),
    ("yolo-fastest-1.1-xl", [16.9, 16.0, 18.2, 28.0]),
    ("yolo-fastest-1.1-xl-Int8LUT", [17.2, 15.9, 18.6, 27.4]),
  ]

  /// All models in the thorough tier; the smallest one in the others.
  @Test(arguments: TestTier.isThorough ? leastDecibels : Array(leastDecibels.prefix(1)))
  func scoresAreNearThoseOfFloat(_ model: String, _ least: [Double]) throws {
    let path = SharedData.url("models/\(model).mlmodel").path
    let images = try Self.unseenInputs()
    let calibrator = try Self.calibrator(path)
    let layers = try calibrator.sensitivities()
    let kept = LayerSensitivity.mostSensitive(of: layers, share: 0.05)
    let mixed = LayerSensitivity.selection(of: layers, floatShare: 0.05, int16Share: 0.35)
    let ranges = calibrator.ranges
    let choices = [
      BackendOptions.int8, .int8(calibration: ranges),
      .int8(calibration: ranges, floatLayers: Set(kept.map(\.layer)), floatSums: true),
      .int8(
        calibration: ranges, floatLayers: Set(mixed.float.map(\.layer)),
        int16Layers: Set(mixed.int16.map(\.layer)), floatSums: true),
    ]
    for (backend, least) in zip(choices, least) {
      let decibels = try Self.signalToNoise(path, Model.Options(backend: backend), of: images)
      #expect(decibels > least, "\(decibels) dB")
    }
  }

  @Test func rangesDependOnTheImagesOnly() throws {
    let path = SharedData.url("models/yolo-fastest-1.1-raw.mlmodel").path
    let expected = try Self.calibrator(path, images: 4).ranges
    #expect(try Self.calibrator(path, images: 4, reversed: true).ranges == expected)
    #expect(try Self.calibrator(path, images: 4, threads: 1).ranges == expected)
  }
}
