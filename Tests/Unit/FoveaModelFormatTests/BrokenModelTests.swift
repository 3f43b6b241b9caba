// Fovea - tests: broken model files are refused.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent))
struct BrokenModelTests {
  /// Files that are well formed by themselves; what is wrong shows when shapes meet.
  static let leftToTheRuntime: Set<String> = [
    "image-wrong-size", "layer-custom", "nms-one-label", "reshape-count", "slice-beyond",
  ]

  static let expectedCodes: [String: ModelFormatError.Code] = [
    "cut-at-0": .emptyFile, "not-a-model": .notAModel, "version-99": .unsupportedVersion,
    "type-tree": .unsupportedModelType, "pipeline-depth-2000": .limitExceeded,
    "blob-missing": .unknownBlob, "blob-cycle": .unknownBlob, "blob-cycle-self": .unknownBlob,
    "blob-written-twice": .duplicateBlob, "output-missing": .unknownBlob,
    "layer-no-type": .missingField, "lut-200-entries": .invalidWeights,
    "bits-9": .invalidWeights, "weights-two-kinds": .invalidWeights,
    "linear-5-scales": .invalidWeights, "conv-kernel-1-value": .invalidValue,
    "nms-iou-nan": .invalidValue, "nms-input-missing": .unknownBlob,
    "pipeline-empty": .missingField, "wire-type-7": .malformedEncoding,
    "length-raw-huge": .truncated, "constant-overflow": .limitExceeded,
  ]

  @Test func everyBrokenFileIsRefused() throws {
    let names = try SharedData.files(in: "bad/models", suffix: ".mlmodel")
    #expect(names.count >= 60)
    var accepted: Set<String> = []
    for file in names {
      let name = String(file.dropLast(".mlmodel".count))
      do {
        _ = try sharedModel("bad/models/\(file)")
        accepted.insert(name)
      } catch let error as ModelFormatError {
        #expect(!error.found.isEmpty && !error.expected.isEmpty && !error.remedy.isEmpty)
        if let code = Self.expectedCodes[name] { #expect(error.code == code, "\(name): \(error)") }
      }
    }
    #expect(accepted == Self.leftToTheRuntime)
  }

  @Test func errorsNameThePlace() throws {
    let error = try #require(throws: ModelFormatError.self) {
      try sharedModel("bad/models/lut-200-entries.mlmodel")
    }
    #expect(error.fieldPath.hasPrefix("pipeline.models[0].neuralNetwork.layers["))
    #expect(error.fieldPath.contains("convolution.weights.quantization"))
    #expect(error.layerName?.isEmpty == false)
    #expect(error.byteOffset != nil)
    #expect(error.description.contains("a table of 200 entries"))
  }
}
