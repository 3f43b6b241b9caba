// Fovea - tests of taking out of 8 bits what agreement takes, on a real network and photographs.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaEvaluation
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent && BuildConfiguration.isSwiftOptimized))
struct AgreementSearchTests {
  static let model = SharedData.url("models/yolo-fastest-1.1-xl.mlmodel").path

  static func search() throws -> AgreementSearch {
    let folder = "coco128-train/images"
    let paths = try SharedData.files(in: folder, suffix: ".jpg").prefix(12)
      .map { SharedData.url("\(folder)/\($0)").path }
    let calibrator = try ActivationCalibrator(contentsOf: model)
    for path in paths { try calibrator.add(Image(contentsOf: path)) }
    return try AgreementSearch(calibrator, images: paths)
  }

  /// A bound that codes alone keep costs nothing; one that they do not keep costs the least that is enough.
  @Test func takesTheCheapestThatIsEnough() throws {
    let search = try Self.search()
    let free = try search.cheapest(maximumLoss: 1)
    #expect(free.options.backend.int8?.floatSums == false)
    #expect(free.floatLayers.isEmpty && free.loss > 0)
    var tried: [AgreementSearch.Step] = []
    let bound = free.loss / 2
    let found = try search.cheapest(maximumLoss: bound) { tried.append($0) }
    #expect(found.options.backend.int8?.floatSums == true && found.loss <= bound)
    #expect(tried.dropLast().allSatisfy { $0.loss > bound })
    let products = tried.map { step in
      (step.floatLayers + step.int16Layers).reduce(0) { $0 + $1.multiplyAccumulates }
    }
    #expect(products == products.sorted())
    #expect(found.options.backend.int8?.floatLayers == Set(found.floatLayers.map(\.layer)))
    #expect(found.options.backend.int8?.int16Layers == Set(found.int16Layers.map(\.layer)))
    #expect(tried.allSatisfy { $0.options.backend.int8?.calibration != nil })
  }

  /// Little is lost before all layers are in floats, where dense ones are of 16 bits; at the end nothing is.
  @Test func everythingInFloatsFindsTheSame() throws {
    var tried: [AgreementSearch.Step] = []
    let found = try Self.search().cheapest(maximumLoss: 0) { tried.append($0) }
    #expect(found.loss == 0 && found.agreement.matchedCount > 20)
    let integers = tried.filter { !$0.int16Layers.isEmpty }
    #expect(!integers.isEmpty && integers.allSatisfy { $0.loss < tried[0].loss })
    #expect(
      integers.allSatisfy { step in
        Set(step.floatLayers.map(\.layer)).isDisjoint(with: step.int16Layers.map(\.layer))
      })
  }
}
