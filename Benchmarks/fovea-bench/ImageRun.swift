// Fovea - from an image file to a network's input, stage by stage.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelFormat

/// What precedes a detector's network: a file is read, decoded and sampled.
struct ImageRun {
  let path: String
  /// The network's input.
  let width: Int
  let height: Int
  /// Whether a JPEG may be decoded at a reduced scale.
  let reduces: Bool

  private let session: Session
  private let input: Model.Port

  /// Milliseconds of the stages of a run.
  struct Times {
    /// Reading the file and its header.
    var read: Double
    /// Decoding.
    var decode: Double
    /// Sampling into the network's input.
    var sample: Double

    var total: Double { read + decode + sample }
  }

  /// What a run decoded.
  struct Sizes {
    var full: (width: Int, height: Int)
    var decoded: (width: Int, height: Int)
  }

  init(_ path: String, width: Int, height: Int, reduces: Bool) throws {
    (self.path, self.width, self.height, self.reduces) = (path, width, height, reduces)
    session = try Self.session(width: width, height: height)
    input = session.model.inputs[0]
  }

  /// A session whose only input is an image of a size.
  static func session(width: Int, height: Int) throws -> Session {
    let image = FeatureDescription(
      name: "image", type: .image(ImageFeature(width: width, height: height, colorSpace: .rgb)))
    let output = FeatureDescription(
      name: "output", type: .multiArray(MultiArrayFeature(shape: [], dataType: .float32)))
    let layer = NeuralNetworkLayer(
      name: "activation", inputs: [image.name], outputs: ["output"],
      kind: .activation(.sigmoid), typeName: "activation")
    let network = ModelDescription(
      specificationVersion: 3, inputs: [image], outputs: [output],
      body: .neuralNetwork(NeuralNetwork(layers: [layer])))
    return try Session(
      model: Model(file: network, name: "an image", options: Model.Options(backend: .reference)))
  }

  /// Reads, decodes and samples once. Both axes are scaled independently to the input's size.
  func take() throws -> (times: Times, sizes: Sizes) {
    let start = ContinuousClock.now
    let file = try ImageFile(contentsOf: path)
    let opened = ContinuousClock.now
    let header = file.header
    let stored = header.swapsSides ? (height, width) : (width, height)
    let reduction =
      reduces ? ImageReduction.covering(width: stored.0, height: stored.1) : .none
    let image = try file.decoded(reduction: reduction)
    let decoded = ContinuousClock.now
    try session.fill(input, from: image)
    let end = ContinuousClock.now
    return (
      Times(
        read: (opened - start).milliseconds, decode: (decoded - opened).milliseconds,
        sample: (end - decoded).milliseconds),
      Sizes(
        full: (header.uprightWidth, header.uprightHeight), decoded: (image.width, image.height))
    )
  }
}
