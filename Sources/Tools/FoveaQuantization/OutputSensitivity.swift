// Fovea - how much a layer's noise moves what the model writes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaImaging
internal import FoveaModelFormat
internal import FoveaRuntime
internal import FoveaVision

/// Measures how far the outputs of a model move when one layer alone has other weights.
struct OutputSensitivity {
  private let source: QuantizableModel
  private let images: [Image]
  private let pool: ThreadPool
  /// The outputs with the weights of the file, for each image.
  private let expected: [[[Float]]]

  /// Runs the model as it is.
  ///
  /// - Throws: `.calibration` when it cannot be run.
  init(
    _ source: QuantizableModel, images: [Image], pool: ThreadPool
  ) throws(QuantizationError) {
    self.source = source
    self.images = images
    self.pool = pool
    expected = try Self.outputs(source.file, images, pool)
  }

  /// Power of the change of the outputs over their power, summed over the outputs.
  ///
  /// - Throws: `.unreadable` or `.calibration`.
  func change(
    _ replacements: [WeightAddress: WrittenWeights]
  ) throws(QuantizationError) -> Double {
    let changed: ModelDescription
    do throws(ModelFormatError) {
      changed = try source.rewritten(replacements).read()
    } catch {
      throw .unreadable(error)
    }
    let found = try Self.outputs(changed, images, pool)
    return (expected.first ?? []).indices.reduce(0.0) { sum, output in
      var energy = ErrorEnergy()
      for (old, new) in zip(expected, found) {
        let moved = new[output]
        energy.add(old[output], moved.span)
      }
      return sum + energy.noiseShare
    }
  }

  private static func outputs(
    _ file: ModelDescription, _ images: [Image], _ pool: ThreadPool
  ) throws(QuantizationError) -> [[[Float]]] {
    do {
      var options = Model.Options(backend: .float)
      options.usesWinograd = false
      let model = try Model(file: file, name: "", options: options)
      let network = try ImageSession(model: model, pool: pool)
      return try images.map { image in
        try network.run(image)
        return try model.outputs.map { port in
          try network.session.withOutput(port.name) { span in span.indices.map { span[$0] } }
        }
      }
    } catch {
      throw .calibration("\(error)")
    }
  }
}
