// Fovea - tests of what a detector loses with fewer bits for its weights.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaEvaluation
import FoveaQuantization
import FoveaTestSupport
import Testing

/// COCO's average precision over the 128 labeled images, every class of a box a candidate.
@Suite(.enabled(if: SharedData.isPresent && BuildConfiguration.isSwiftOptimized))
struct DetectorAccuracyTests {
  private static let detector = "yolo-fastest-1.1-xl"
  private static let images = "coco128-train/images"

  /// What pycocotools finds in the detections of torch.
  private func reference(_ variant: String) throws -> Double {
    let file = try SharedData.json("references/map-coco128-train.json") as? [String: Any]
    let rules = file?["\(Self.detector) \(variant)"] as? [String: Any]
    let numbers = rules?["multi_label"] as? [String: Any]
    return try #require(numbers?["AP"] as? Double)
  }

  private func averagePrecision(_ bytes: [UInt8]) throws -> Double {
    let instances = try CocoInstances(
      contentsOf: SharedData.url("coco128-train/instances.json").path)
    var request = try DetectObjectsRequest(
      model: Model(bytes: bytes, name: "detector"), pool: ThreadPool(threadCount: 2))
    request.minimumConfidence = 0.001
    request.iouThreshold = 0.45
    request.isClassAgnostic = false
    request.maximumObservations = 100
    request.candidateRule = .multiLabel
    let mapping = CategoryMapping(labels: request.classLabels, categories: instances.categories)
    var evaluator = AveragePrecisionEvaluator(categories: instances.categories.map(\.id))
    for image in instances.images {
      let file = "\(Self.images)/\(try #require(image.fileName))"
      let result = try request.result(
        on: ImageFile(contentsOf: SharedData.url(file).path))
      let detections = try result.observations.map { object in
        let label = try #require(object.bestLabel)
        let box = object.boundingBox.clamped.toImageCoordinates(
          result.imageSize, origin: .upperLeft)
        return DetectedObject(
          category: try #require(mapping.categories[label.classIndex]),
          box: PixelBox(x: box.x, y: box.y, width: box.width, height: box.height),
          score: Double(object.topConfidence))
      }
      try evaluator.add(
        image: image.id, objects: instances.objects(inImage: image.id), detections: detections)
    }
    return try #require(evaluator.metrics().summary.averagePrecision)
  }

  @Test func floatHasTheReferencesPrecision() throws {
    let bytes = try SharedData.bytes("models/\(Self.detector).mlmodel")
    #expect(abs(try averagePrecision(bytes) - reference("float32")) < 0.001)
  }

  /// Calibrated on every second image.
  @Test func calibratedTablesLoseLittle() throws {
    let path = SharedData.url("models/\(Self.detector).mlmodel").path
    let quantizer = try ModelQuantizer(contentsOf: path)
    let calibrator = try quantizer.makeCalibrator()
    let names = try SharedData.files(in: Self.images, suffix: ".jpg")
    for name in stride(from: 0, to: names.count, by: 2).map({ names[$0] }) {
      try calibrator.add(Image(contentsOf: SharedData.url("\(Self.images)/\(name)").path))
    }
    let four = try quantizer.quantize(QuantizationOptions(bits: 4), calibrator: calibrator)
    // k-means of 4 bits beside tables of 8 bits for depthwise layers, without calibration.
    let stored = try SharedData.bytes("models/\(Self.detector)-Int4LUT.mlmodel")
    #expect(four.bytes.count <= stored.count)
    let float = try reference("float32")
    let loss = float - (try averagePrecision(four.bytes))
    #expect(loss <= (float - (try reference("Int4LUT"))) / 2, "4 bits lose \(loss)")

    let six = try quantizer.quantize(QuantizationOptions(bits: 6), calibrator: calibrator)
    let rest = float - (try averagePrecision(six.bytes))
    #expect(rest <= 0.01, "6 bits lose \(rest)")
  }
}
