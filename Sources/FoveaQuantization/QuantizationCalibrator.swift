// Fovea - what the layers of a model read, over images.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging
internal import FoveaModelFormat
public import FoveaRuntime
internal import FoveaVision

/// Measures the inputs of the layers of a model, over images like those of its task.
///
/// ```swift
/// let quantizer = try ModelQuantizer(contentsOf: "detector.mlmodel")
/// let calibrator = try quantizer.makeCalibrator()
/// for path in images { try calibrator.add(Image(contentsOf: path)) }
/// let small = try quantizer.quantize(.init(bits: 4), calibrator: calibrator)
/// ```
///
/// Some dozens of images are enough. The `float` backend runs the layers with the weights of the
/// file. The result does not depend on the number of threads.
public final class QuantizationCalibrator {
  private struct Network {
    var session: ImageSession
    var layers: [(index: Int, output: String, gathering: PatchGathering)]
  }

  private var networks: [Network] = []
  private(set) var statistics: [WeightAddress: ActivationStatistics] = [:]
  private let layers: [QuantizableLayer]
  /// The content of the model's file.
  let bytes: [UInt8]
  private let pool: ThreadPool
  /// The first images, for `OutputSensitivity`.
  private var samples: [Image] = []

  private static let sampleLimit = 8

  /// Output positions of a layer that are looked at in each image.
  private static let positionLimit = 256

  /// The number of images so far.
  public private(set) var imageCount = 0

  /// Creates a calibrator for a model.
  ///
  /// - Parameters:
  ///   - bytes: The content of the `.mlmodel` file.
  ///   - pool: The threads that share the work; `nil` makes a pool.
  /// - Throws: `.unreadable`, `.alreadyQuantized`; `.calibration` for a model that cannot run, or
  ///   that has more than one image input.
  public init(bytes: [UInt8], pool: ThreadPool? = nil) throws(QuantizationError) {
    let file: CoreMLModel
    do throws(ModelFormatError) { file = try CoreMLModel(bytes: bytes) } catch {
      throw .unreadable(error)
    }
    self.bytes = bytes
    layers = try NetworkWeights(file).layers
    let threads: ThreadPool
    do throws(FoveaError) {
      if let pool { threads = pool } else { threads = try ThreadPool() }
    } catch {
      throw .calibration("\(error)")
    }
    self.pool = threads
    for path in [[]] + file.stages.indices.map({ [$0] }) {
      let indices = layers.indices.filter { layers[$0].path == path && layers[$0].input != "" }
      if indices.isEmpty { continue }
      try add(file, path: path, indices, threads)
    }
  }

  /// A network whose outputs are what its layers read.
  private func add(
    _ file: CoreMLModel, path: [Int], _ indices: [Int], _ pool: ThreadPool
  ) throws(QuantizationError) {
    var file = file
    var options = Model.Options(backend: .float, lastStage: path.first)
    options.usesWinograd = false
    let names = Set(indices.map { layers[$0].input }).sorted()
    let features = names.map {
      FeatureDescription(
        name: $0, type: .multiArray(MultiArrayFeature(shape: [], dataType: .float32)))
    }
    file.outputs = features
    if case .pipeline(var pipeline) = file.body, let stage = path.first {
      // Later networks read what this one declares.
      pipeline.stages[stage].model.outputs += features.filter { feature in
        !pipeline.stages[stage].model.outputs.contains { $0.name == feature.name }
      }
      file.body = .pipeline(pipeline)
    }
    do {
      let model = try Model(file: file, name: "", options: options)
      var network = Network(session: try ImageSession(model: model, pool: pool), layers: [])
      for index in indices {
        let layer = layers[index]
        guard
          let port = network.session.session.model.outputs.first(where: { $0.name == layer.input }),
          let gathering = PatchGathering(layer, inputShape: port.shape)
        else { continue }
        let groups = layer.convolution?.groups ?? 1
        let size = layer.layout.count / layer.layout.channelCount
        statistics[layer.address] = ActivationStatistics(groups: groups, size: size)
        network.layers.append((index, layer.input, gathering))
      }
      networks.append(network)
    } catch {
      throw .calibration("the model cannot be run for its activations: \(error)")
    }
  }

  /// Runs the model on one more image.
  ///
  /// - Throws: `.calibration` for an image that cannot be sampled.
  public func add(_ image: Image) throws(QuantizationError) {
    for network in networks {
      do throws(DetectionError) { try network.session.run(image) } catch {
        throw .calibration("\(error)")
      }
      for layer in network.layers {
        let address = layers[layer.index].address
        // Other positions in every image: 7919 shares no factor with usual sizes.
        let start = imageCount * 7919
        let patches = try? network.session.session.withOutput(layer.output) {
          layer.gathering.patches($0, limit: Self.positionLimit, start: start)
        }
        if let patches { statistics[address]?.add(patches) }
      }
    }
    if samples.count < Self.sampleLimit { samples.append(image) }
    imageCount += 1
  }

  /// What moves the outputs on the first images.
  func sensitivity() throws(QuantizationError) -> OutputSensitivity {
    try OutputSensitivity(bytes: bytes, images: samples, pool: pool)
  }
}
