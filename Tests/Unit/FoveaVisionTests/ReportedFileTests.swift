// Fovea - files as people bring them show the right boxes, or are refused.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Files that were rebuilt from reports. Their objects were found by other runtimes, and by
/// suppression that stands nowhere here.
@Suite(.enabled(if: SharedData.isPresent)) struct ReportedFileTests {
  /// What is expected of one file.
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    var model: String
    var picture: String
    var options: [String]
    /// Left, top, right and bottom in pixels of the picture, score, class.
    var objects: [[Double]]

    var testDescription: String { "\(model) \(options.joined(separator: " "))" }

    func value(_ option: String) -> String? {
      options.firstIndex(of: option).map { options[$0 + 1] }
    }
  }

  static let folder = "reports/"
  static let cases: [Case] = {
    guard SharedData.isPresent,
      let data = try? Data(contentsOf: SharedData.url(folder + "expected.json"))
    else { return [] }
    return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
  }()

  /// What neither file nor graph nor numbers tell, and the words that the refusal must have.
  static let refused = [
    "a2-detr-logits/detr-6.onnx": "--scores", "a2-detr-logits/rtdetr-5.onnx": "--scores",
    "a1-ultralytics-tasks/obb-bare.onnx": "--task obb",
    "e2-more-outputs/yolo-obb.onnx": "--task obb",
    "i1-modelmaker/modelmaker320.tflite": "RetinaNet",
  ]

  private static func found(
    _ file: Case, _ change: (inout Model.Options) -> Void = { _ in }
  ) throws -> [Found] {
    var options = Model.Options(backend: .blas)
    options.pictures = PictureInput()
    change(&options)
    let path = SharedData.url(folder + file.model).path
    var request = try DetectObjectsRequest(model: Model(contentsOf: path, options: options))
    request.minimumConfidence = file.value("--confidence").flatMap(Float.init) ?? 0.25
    if let overlap = file.value("--iou").flatMap(Double.init) {
      request.iouThreshold = overlap
    }
    if let crop = file.value("--crop-and-scale") {
      request.cropAndScaleAction = try #require(ImageCropAndScaleAction(rawValue: crop))
    }
    // The answers know no masks: objects whose mask is empty count here, too.
    request.retainsScores = true
    let result = try request.result(
      on: ImageFile(contentsOf: SharedData.url(folder + file.picture).path))
    let size = result.imageSize
    guard result.observations.contains(where: { $0.mask != nil }) else {
      return result.observations.map {
        Found($0.boundingBox, $0.topConfidence, $0.labels.first?.classIndex, in: size)
      }
    }
    return try request.explanations(in: #require(result.scores)).compactMap { explanation in
      guard case .kept = explanation.outcome else { return nil }
      return Found(
        explanation.boundingBox, explanation.score, explanation.classIndex, in: size)
    }
  }

  /// An object that was found.
  private struct Found {
    var corners: [Double]
    var score: Double
    var kind: Int

    init(_ box: NormalizedRect, _ score: Float, _ kind: Int?, in size: ImageSize) {
      let box = box.toImageCoordinates(size, origin: .upperLeft)
      corners = [box.minX, box.minY, box.maxX, box.maxY]
      (self.score, self.kind) = (Double(score), kind ?? 0)
    }
  }

  /// How many of the expected objects were found.
  private static func matches(_ file: Case, _ found: [Found]) -> Int {
    var left = found
    // Its one class has three numbers in the answers.
    let isOfOneClass = file.model.contains("one-class")
    return file.objects.count { expected in
      let place = left.firstIndex { object in
        zip(object.corners, expected).allSatisfy { abs($0 - $1) <= 1 }
          && abs(object.score - expected[4]) <= 0.01
          && (isOfOneClass || object.kind == Int(expected[5]))
      }
      if let place { left.remove(at: place) }
      return place != nil
    }
  }

  @Test(arguments: cases.filter { refused[$0.model] == nil })
  func objectsAreThoseOfOthers(_ file: Case) throws {
    let objects = try Self.found(file)
    // Codes of 8 bits have ties.
    let share = file.model.contains("int8") ? 0.8 : 1
    let right = Self.matches(file, objects)
    #expect(Double(right) >= share * Double(file.objects.count))
    #expect(share * Double(objects.count) <= Double(file.objects.count))
  }

  @Test(arguments: cases.filter { refused[$0.model] != nil })
  func whatNothingTellsIsRefused(_ file: Case) throws {
    let error = #expect(throws: (any Error).self) { try Self.found(file) }
    let words = try #require(Self.refused[file.model])
    #expect("\(error.map { "\($0)" } ?? "")".contains(words))
  }

  /// What a caller says settles it.
  @Test func scoresOfTransformersAreReadAsTheCallerSays() throws {
    for (model, form) in [("detr-6", ScoreForm.softmax), ("rtdetr-5", .logits)] {
      let file = try #require(Self.cases.first { $0.model.contains("/\(model).") })
      let found = try Self.found(file) { $0.scores = form }
      #expect(Self.matches(file, found) == file.objects.count, "\(model)")
    }
  }

  @Test func anglesAreTakenForAnglesAsTheCallerSays() throws {
    let file = try #require(Self.cases.first { $0.model.contains("obb-bare") })
    #expect(try !Self.found(file) { $0.task = .obb }.isEmpty)
  }
}
