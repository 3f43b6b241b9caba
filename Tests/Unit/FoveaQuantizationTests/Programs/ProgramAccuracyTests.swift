// Fovea - tests of what detectors that are ML Programs lose with fewer bits for their weights.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaEvaluation
import FoveaQuantization
import FoveaTestSupport
import FoveaVision
import Testing

@Suite(.enabled(if: SharedData.isPresent && BuildConfiguration.isSwiftOptimized))
struct ProgramAccuracyTests {
  private static let detector = SharedData.url("models/yolo-fastest-1.1-xl.mlpackage").path
  private static let folder = "coco128-train/images"

  private static func pictures(_ range: Range<Int>) throws -> [String] {
    try SharedData.files(in: folder, suffix: ".jpg")[range].map {
      SharedData.url("\(folder)/\($0)").path
    }
  }

  /// What a model finds in pictures.
  private static func objects(
    _ path: String, _ backend: BackendOptions, _ pictures: [String]
  ) throws -> [[DetectedObject]] {
    let model = try Model(contentsOf: path, options: .init(backend: backend))
    let request = try DetectObjectsRequest(model: model, pool: ThreadPool(threadCount: 2))
    let categories = request.classLabels.indices.map { Int?($0) }
    return try pictures.map { picture in
      let result = try request.result(on: ImageFile(contentsOf: picture))
      return result.observations.compactMap {
        DetectedObject(
          classIndex: $0.bestLabel?.classIndex, categories: categories,
          boundingBox: $0.boundingBox, imageSize: result.imageSize, confidence: $0.topConfidence)
      }
    }
  }

  private static func agreement(
    _ found: [[DetectedObject]], _ expected: [[DetectedObject]]
  ) -> DetectionAgreement {
    var agreement = DetectionAgreement()
    for (found, expected) in zip(found, expected) {
      agreement.add(DetectionAgreement(reference: expected, candidate: found))
    }
    return agreement
  }

  /// The objects in pictures that no calibration has seen are those of the original on every backend, and
  /// calibration helps. The shares are a little below those that were measured.
  @Test func objectsAgreeWithThoseOfTheOriginal() throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    let pictures = try Self.pictures(64..<96)
    let expected = try Self.objects(Self.detector, .float, pictures)
    let quantizer = try ModelQuantizer(contentsOf: Self.detector)
    let calibrator = try quantizer.makeCalibrator()
    for picture in try Self.pictures(0..<32) { try calibrator.add(Image(contentsOf: picture)) }
    let path = folder.path("b.mlpackage")
    func agreement(
      _ options: QuantizationOptions, _ calibrator: QuantizationCalibrator? = nil,
      _ backend: BackendOptions = .float
    ) throws -> DetectionAgreement {
      let result = try quantizer.quantize(options, calibrator: calibrator)
      try WrittenPackage.check(result)
      try result.write(to: path)
      let agreement = Self.agreement(try Self.objects(path, backend, pictures), expected)
      if ProcessInfo.processInfo.environment["FOVEA_PRINT_ERRORS"] != nil {
        print(
          "SHARE", options.kind, options.bits, calibrator != nil, backend.backend,
          agreement.share, agreement.meanOverlap ?? 0, result.byteCount)
      }
      return agreement
    }
    let backends = TestTier.isThorough ? ProgramRun.backends : [.float, .int8]
    for backend in backends {
      let share = try agreement(.init(bits: 8), nil, backend).share
      #expect(share > (backend.backend == .int8 ? 0.85 : 0.95), "\(backend.backend): \(share)")
    }
    #expect(try agreement(.init(kind: .linear)).share > 0.92)
    let forms = TestTier.isThorough ? [(6, 0.88), (4, 0.75)] : [(4, 0.75)]
    for (bits, least) in forms {
      let plain = try agreement(.init(bits: bits))
      let calibrated = try agreement(.init(bits: bits), calibrator)
      #expect(calibrated.share > least, "\(bits) bits: \(calibrated.share)")
      let overlaps = try (#require(plain.meanOverlap), #require(calibrated.meanOverlap))
      #expect(overlaps.1 > overlaps.0, "\(bits) bits: \(overlaps)")
    }
  }

  /// The outputs for pictures, decoded boxes included, of networks of other families.
  @Test(arguments: SharedProgramQuantizerTests.models)
  func calibrationLessensTheNoise(_ name: String) throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    let path = SharedData.url("mlprogram/\(name)/model.mlpackage").path
    let quantizer = try ModelQuantizer(contentsOf: path)
    let calibrator = try quantizer.makeCalibrator()
    for picture in try Self.pictures(0..<16) { try calibrator.add(Image(contentsOf: picture)) }
    let pictures = try Self.pictures(64..<70).map { try Image(contentsOf: $0) }
    let expected = try Self.outputs(path, pictures)
    var noises: [Double] = []
    for calibrator in [nil, calibrator] {
      let result = try quantizer.quantize(.init(bits: 6), calibrator: calibrator)
      try WrittenPackage.check(result)
      try result.write(to: folder.path("b.mlpackage"))
      let found = try Self.outputs(folder.path("b.mlpackage"), pictures)
      noises.append(ProgramRun.noise(found, expected))
    }
    if ProcessInfo.processInfo.environment["FOVEA_PRINT_ERRORS"] != nil {
      print("CALIBRATED", name, noises)
    }
    #expect(noises[1] < noises[0] && noises[0] < 0.05, "\(noises)")
  }

  /// Every output of every picture, those of the decoded head included.
  private static func outputs(_ path: String, _ pictures: [Image]) throws -> [[Float]] {
    let model = try Model(contentsOf: path, options: .init(backend: .float))
    let network = try ImageSession(model: model, pool: ThreadPool(threadCount: 2))
    return try pictures.flatMap { picture -> [[Float]] in
      try network.run(picture)
      return try model.outputs.map { output in
        try network.session.withOutput(output.name) { span in span.indices.map { span[$0] } }
      }
    }
  }
}
