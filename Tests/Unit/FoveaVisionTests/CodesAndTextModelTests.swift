// Fovea - tests of the detector that Fovea ships, as a library user meets it.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import Foundation
import FoveaCodesAndText
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite struct CodesAndTextModelTests {
  static let folder = SharedData.packageRoot.appendingPathComponent("Sources/Models/CCodesAndText")
  static let file = folder.appendingPathComponent("CodesAndText.mlmodel").path

  @Test func takesAnImageAndNamesItsClasses() throws {
    let model = try Model.codesAndText
    #expect(model.name == "CodesAndText")
    #expect(model.inputs.map(\.shape) == [[416, 416, 3]])
    // Three anchors in each cell of 13 x 13 and 26 x 26.
    #expect(model.outputs.map(\.shape.first) == [2535, 2535])
    #expect(model.classLabels == ["qrCode", "barcode", "dataMatrix", "textLine", "document"])
    let thresholds = ModelThresholds(suppression: model.suppression, metadata: model.metadata)
    #expect(thresholds.confidence == 0.25 && thresholds.intersectionOverUnion == 0.45)
    #expect(!thresholds.isClassAgnostic)
    #expect(thresholds.boxVoting == 0.5 && thresholds.softSuppression == 1)
  }

  @Test func isLoadedOnce() throws {
    #expect(try Model.codesAndText === Model.codesAndText)
  }

  @Test func isTheFileBesideIt() throws {
    let model = try Model(contentsOf: Self.file)
    #expect(try Model.codesAndText.fileByteCount == model.fileByteCount)
    #expect(try Model.codesAndText.metadata == model.metadata)
    #expect(model.fileByteCount <= 10 << 20)
  }

  /// Tables of 256 values, but for the first layer, whose few weights would be no smaller.
  @Test func weightsAreTablesOfEightBits() throws {
    let stages = try Model.codesAndText.specification.stages
    guard case .neuralNetwork(let network)? = stages.first?.model.body else {
      Issue.record("the first stage is no network")
      return
    }
    let encodings = network.layers.compactMap { layer -> WeightEncoding? in
      if case .convolution(let convolution) = layer.kind {
        convolution.weights.encoding
      } else {
        nil
      }
    }
    #expect(encodings.count == 13)
    for encoding in encodings.dropFirst() {
      guard case .lookupTable(bits: 8, _) = encoding else {
        Issue.record("\(encoding.name)")
        continue
      }
    }
  }

  @Test(.enabled(if: BuildConfiguration.isOptimized), arguments: [Backend.float, .int8])
  func findsTheCodesOfAnExample(_ backend: Backend) throws {
    let model = try Model.codesAndText(options: .init(backend: .init(backend)))
    #expect(model.backend == backend)
    let request = try DetectObjectsRequest(model: model)
    let objects = try request.perform(
      on: ImageFile(
        contentsOf: Self.folder.appendingPathComponent("Examples/table-3.jpg").path))
    let labels = Set(objects.compactMap { $0.bestLabel?.identifier })
    #expect(labels.isSuperset(of: ["qrCode", "barcode"]))
  }
}
