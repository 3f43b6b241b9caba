// Fovea - fuzzing: Core ML files.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaModelFormat
import FoveaRuntime

enum ModelFuzzing {
  /// Bytes that a session of a fuzzed model may have, and products of the largest one that is run.
  private static let sessionBytes = 1 << 24
  private static let productsRun: UInt64 = 2_000_000

  /// A file is described or refused with words; a description without layers is one, too.
  static func read(_ bytes: [UInt8]) {
    do throws(ModelFormatError) {
      let model = try ModelDescription(bytes: bytes)
      let outline = try ModelOutline.bytes(of: bytes)
      promise(outline.count <= bytes.count + 64, "an outline is longer than its file")
      decodeWeights(of: model)
    } catch {
      promise(!error.description.isEmpty, "an error without words")
    }
    _ = try? ModelDescription(bytes: bytes, describesUnsupportedModels: true)
  }

  /// A model runs on every backend that it loads for.
  static func load(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    run(first) { options throws(FoveaError) in
      try Model(bytes: Array(bytes.dropFirst()), name: "fuzzed", options: options)
    }
  }

  /// A loaded model runs on the backend that `first` chooses, or is refused with words.
  static func run(_ first: UInt8, load: (Model.Options) throws(FoveaError) -> Model) {
    let keepsAllLayers = first & 0x40 != 0
    let backends: [BackendOptions] = [
      .reference(keepsAllLayers: keepsAllLayers), .blas(keepsAllLayers: keepsAllLayers),
      .float(weights: first & 0x80 == 0 ? .expanded : .coded), .int8,
    ]
    do throws(FoveaError) {
      let model = try load(
        Model.Options(
          backend: backends[Int(first) % backends.count], maximumSessionBytes: sessionBytes))
      guard model.nodes.reduce(0, { $0 &+ $1.multiplyAccumulates }) < productsRun else { return }
      let session = try Session(model: model)
      session.run()
      for output in model.outputs {
        promise(
          try session.output(output.name).shape == output.shape, "\(output.name) has another shape")
      }
    } catch {
      promise(!error.message.isEmpty, "an error without words")
    }
  }

  private static func decodeWeights(of model: ModelDescription) {
    switch model.body {
    case .pipeline(let pipeline):
      for stage in pipeline.stages { decodeWeights(of: stage.model) }
    case .neuralNetwork(let network):
      for layer in network.layers {
        switch layer.kind {
        case .convolution(let layer):
          _ = try? layer.weights.decoded(layer.weightLayout)
          _ = try? layer.bias?.decoded(count: layer.outputChannels)
        case .loadConstant(let layer), .loadConstantND(let layer):
          // A claim of gigabytes is refused by what is there; so many may be claimed twice.
          guard layer.count < 1 << 20 else { continue }
          _ = try? layer.data.decoded(count: layer.count)
        default: break
        }
      }
    default: break
    }
  }
}
