// Fovea - tests of forms of weights.
// SPDX-License-Identifier: Apache-2.0
import FoveaBench
import FoveaModelFormat
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent))
struct WeightVariantTests {
  private static func convolutions(_ model: ModelDescription) -> [ConvolutionLayer] {
    switch model.body {
    case .pipeline(let pipeline): pipeline.stages.flatMap { convolutions($0.model) }
    case .neuralNetwork(let network):
      network.layers.compactMap {
        if case .convolution(let convolution) = $0.kind { convolution } else { nil }
      }
    default: []
    }
  }

  /// Every weight is the nearest half, and nothing else changes.
  @Test func halvesAreTheNearest() throws {
    let file = try SharedData.bytes("models/yolo-fastest-1.1-raw.mlmodel")
    let made = try WeightVariant.float16.make(file, nil)
    let (before, after) = (try ModelDescription(bytes: file), try ModelDescription(bytes: made))
    #expect(after.inputs == before.inputs && after.outputs == before.outputs)
    let pairs = zip(Self.convolutions(before), Self.convolutions(after))
    #expect(Self.convolutions(after).count == Self.convolutions(before).count)
    var weightCount = 0
    for (old, new) in pairs {
      #expect(new.weights.encoding == .float16 && new.bias?.encoding == .float16)
      var exact = try old.weights.decoded(old.weightLayout)
      var found = try new.weights.decoded(new.weightLayout)
      if let bias = old.bias, let written = new.bias {
        exact += try bias.decoded(WeightLayout(count: bias.storedValueCount))
        found += try written.decoded(WeightLayout(count: written.storedValueCount))
      }
      weightCount += exact.count
      // Half a unit in the last of 11 places, or of the least half.
      #expect(
        zip(exact, found).allSatisfy { abs($0 - $1) <= max(abs($0) * 0x1p-11, 0x1p-25) })
    }
    #expect(weightCount > 100_000)
    // Constants are halves, too, and halves are half of floats at most.
    let saved = file.count - made.count
    #expect(saved >= 2 * weightCount && saved <= file.count / 2)
    #expect(try WeightVariant.float32.make(file, nil) == file)
  }
}
