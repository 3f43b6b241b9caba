// Fovea - what int8 knows of a network that was not calibrated.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaModelValues

/// Statistics of a network's activations without images of its task: of synthetic ones.
///
/// They are good enough to say which channels are large and which errors of weights add up, and too
/// coarse for ranges, which are measured in every frame instead. Measured by `int8` itself, all of it in
/// integers: its activations are the same bits on every processor, and its noise does not matter here.
enum SyntheticCalibration {
  private static let imageCount = 4

  /// The statistics; `nil` for a network that reads anything but images, whose file says what its codes mean, or
  /// whose session would be larger than allowed.
  static func ranges(
    _ file: ModelDescription, name: String, options: Model.Options
  ) throws(FoveaError) -> ActivationRanges? {
    // Known without lowering the network, which takes as long as loading it.
    if options.pictures == nil, !file.inputs.isEmpty, !file.inputs.contains(where: \.type.isImage) {
      return nil
    }
    let limit = options.maximumSessionBytes
    var options = options
    options.backend = .int8
    options.recordsRanges = true
    options.observesNodes = false
    options.maximumSessionBytes = .max
    let model = try Model(file: file, name: name, options: options)
    guard !model.givesCodes, model.inputs.allSatisfy({ $0.image != nil }),
      model.sessionByteCount <= limit
    else {
      return nil
    }
    let session = try Session(model: model, pool: ThreadPool())
    var images = SyntheticImages(seed: 1)
    for _ in 0..<imageCount {
      try images.fill(session)
      session.run()
    }
    return session.activationRanges()
  }
}
