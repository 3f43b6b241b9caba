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
    var uses: [(layer: Int, output: String, gathering: PatchGathering)]
  }

  private var networks: [Network] = []
  private(set) var statistics: [WeightAddress: ActivationStatistics] = [:]
  private var layers: [QuantizableLayer] { source.layers }
  /// The model.
  let source: QuantizableModel
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
  public convenience init(
    bytes: [UInt8], pool: ThreadPool? = nil
  ) throws(QuantizationError) {
    try self.init(QuantizableModel(bytes, byteCount: bytes.count), pool: pool)
  }

  init(_ source: QuantizableModel, pool: ThreadPool?) throws(QuantizationError) {
    self.source = source
    do throws(FoveaError) {
      if let pool { self.pool = pool } else { self.pool = try ThreadPool() }
    } catch {
      throw .calibration("\(error)")
    }
    for path in [[]] + source.file.stages.indices.map({ [$0] }) {
      let functions = Set(
        layers.filter { $0.path == path }.flatMap { $0.uses.map(\.function) })
      for function in functions.sorted() { try add(path, function) }
    }
  }

  /// A network, or a function of a program, whose outputs are what its layers read.
  private func add(_ path: [Int], _ function: String) throws(QuantizationError) {
    let uses = layers.indices.filter { layers[$0].path == path }.flatMap { index in
      layers[index].uses.filter { $0.function == function && !$0.input.isEmpty }
        .map { (index, $0) }
    }
    let names = Set(uses.map { $0.1.input })
    if names.isEmpty { return }
    var options = Model.Options(backend: .float, lastStage: path.first)
    options.usesWinograd = false
    options.decodesHead = false
    options.pictures = PictureInput()
    do {
      let file = source.file.reading(names.sorted(), ofFunction: function, stage: path.first)
      let model = try Model(file: file, name: "", options: options)
      var network = Network(session: try ImageSession(model: model, pool: pool), uses: [])
      for (index, use) in uses {
        let layer = layers[index]
        guard let port = model.outputs.first(where: { $0.name == use.input }),
          let gathering = PatchGathering(layer, use, inputShape: port.shape)
        else { continue }
        if statistics[layer.address] == nil {
          statistics[layer.address] = ActivationStatistics(
            groups: layer.groups, size: layer.rowSize)
        }
        network.uses.append((index, use.input, gathering))
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
      for use in network.uses {
        let address = layers[use.layer].address
        // Other positions in every image: 7919 shares no factor with usual sizes.
        let start = imageCount * 7919
        let patches = try? network.session.session.withOutput(use.output) {
          use.gathering.patches($0, limit: Self.positionLimit, start: start)
        }
        if let patches { statistics[address]?.add(patches) }
      }
    }
    if samples.count < Self.sampleLimit { samples.append(image) }
    imageCount += 1
  }

  /// What moves the outputs on the first images.
  func sensitivity() throws(QuantizationError) -> OutputSensitivity {
    try OutputSensitivity(source, images: samples, pool: pool)
  }
}

extension ModelDescription {
  /// The same model with other outputs: values of a stage, and of a program's function.
  fileprivate func reading(
    _ names: [String], ofFunction function: String, stage: Int?
  ) -> ModelDescription {
    let features = names.map {
      FeatureDescription(
        name: $0, type: .multiArray(MultiArrayFeature(shape: [], dataType: .float32)))
    }
    var file = self
    file.outputs = features
    if let other = functions.first(where: { $0.name == function }) {
      (file.functionName, file.inputs) = (function, other.inputs)
    }
    if case .pipeline(var pipeline) = body, let stage {
      // Later networks read what this one declares.
      pipeline.stages[stage].model.outputs += features.filter { feature in
        !pipeline.stages[stage].model.outputs.contains { $0.name == feature.name }
      }
      file.body = .pipeline(pipeline)
    }
    return file
  }
}
