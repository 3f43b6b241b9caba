// Fovea - tests of where thresholds come from.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaVision
import Testing

@Suite struct ModelThresholdsTests {
  static let stage = NonMaximumSuppression(
    perClass: false, classLabels: .none, iouThreshold: 0.6, confidenceThreshold: 0.4,
    confidenceInputName: "c", coordinatesInputName: "b", confidenceOutputName: "co",
    coordinatesOutputName: "bo")

  static func metadata(_ values: [String: String]) -> ModelMetadata {
    ModelMetadata(userDefined: values)
  }

  @Test func stageWinsOverMetadata() {
    let own = ModelThresholds(
      suppression: Self.stage,
      metadata: Self.metadata(["confidence_threshold": "0.9", "iou_threshold": "0.9"]))
    #expect(own.confidence == 0.4)
    #expect(own.intersectionOverUnion == 0.6)
    #expect(own.isClassAgnostic)
  }

  @Test(arguments: ["confidence_threshold", "Confidence threshold"])
  func metadataNameConfidence(_ key: String) {
    let own = ModelThresholds(suppression: nil, metadata: Self.metadata([key: " 0.31 "]))
    #expect(own.confidence == 0.31)
    #expect(own.intersectionOverUnion == 0.45)
    #expect(!own.isClassAgnostic)
  }

  @Test(arguments: ["iou_threshold", "IoU threshold", "non_maximum_suppression_threshold"])
  func metadataNameOverlap(_ key: String) {
    let own = ModelThresholds(suppression: nil, metadata: Self.metadata([key: "0.7"]))
    #expect(own.intersectionOverUnion == 0.7)
    #expect(own.confidence == 0.25)
  }

  @Test func metadataNameBoxVoting() {
    let own = ModelThresholds(
      suppression: Self.stage, metadata: Self.metadata(["box_voting_threshold": "0.6"]))
    #expect(own.boxVoting == 0.6)
    #expect(ModelThresholds(suppression: Self.stage, metadata: Self.metadata([:])).boxVoting == 1)
  }

  @Test func metadataNameSoftSuppression() {
    let own = ModelThresholds(
      suppression: Self.stage, metadata: Self.metadata(["soft_suppression": "0.5"]))
    #expect(own.softSuppression == 0.5)
    let none = ModelThresholds(suppression: Self.stage, metadata: Self.metadata([:]))
    #expect(none.softSuppression == 0)
  }

  @Test(arguments: ["", "high", "1.5", "-1", "nan", "inf", "0,5"])
  func metadataThatAreNoFractionCountAsAbsent(_ text: String) {
    let values = [
      "confidence_threshold": text, "iou_threshold": text, "box_voting_threshold": text,
      "soft_suppression": text,
    ]
    let own = ModelThresholds(suppression: nil, metadata: Self.metadata(values))
    #expect(own.confidence == DetectionSettings.defaultConfidence)
    #expect(own.intersectionOverUnion == DetectionSettings.defaultIntersectionOverUnion)
    #expect(own.boxVoting == 1 && own.softSuppression == 0)
  }

  @Test func nextKeyServesWhenOneIsUnusable() {
    let values = ["iou_threshold": "?", "non_maximum_suppression_threshold": "0.5"]
    let own = ModelThresholds(suppression: nil, metadata: Self.metadata(values))
    #expect(own.intersectionOverUnion == 0.5)
  }
}
