// Fovea - what a detector writes for a synthetic picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLowering
internal import FoveaModelValues

/// Runs a detector once, on a synthetic picture, where neither its file nor its graph says what its
/// numbers mean.
///
/// Where boxes lie, which numbers are scores and whether coordinates count pixels does not depend on
/// what a picture shows. So nobody waits for the first picture of a camera, and a compiled file has
/// the answer.
enum HeadProbe {
  /// Lowers a model, and once more with what it writes where its head asks for that.
  ///
  /// - Returns: The model, and what it writes; nothing where that was not asked for.
  /// - Complexity: One run of the network in `blas`, if it is asked for.
  static func lower(
    _ file: ModelDescription, name: String, options: Model.Options
  ) throws(FoveaError) -> (model: LoweredModel, samples: OutputSamples) {
    var lowered = try ModelLowering.lowerForPictures(file, options: options)
    guard lowered.needsSample else {
      return (lowered, options.outputSamples ?? OutputSamples([:]))
    }
    let samples = try samples(file, picture: lowered.picture, name: name, options: options)
    var options = options
    options.outputSamples = samples
    lowered = try ModelLowering.lowerForPictures(file, options: options)
    return (lowered, samples)
  }

  private static func samples(
    _ file: ModelDescription, picture: PictureForm?, name: String, options: Model.Options
  ) throws(FoveaError) -> OutputSamples {
    var options = options
    options.decodesHead = false
    options.head = nil
    options.backend = .blas
    options.keepsTranslation = false
    options.recordsRanges = false
    options.observesNodes = false
    let lowered = try ModelLowering.lower(file, options: options, picture: picture)
    let model = try Model(lowered, name: name, options: options)
    let session = try Session(model: model, pool: ThreadPool())
    var images = SyntheticImages(seed: 1)
    try images.fill(session)
    session.run()
    var values: [String: [Float]] = [:]
    for output in model.outputs { values[output.name] = try session.output(output.name).floats() }
    return OutputSamples(values)
  }
}
