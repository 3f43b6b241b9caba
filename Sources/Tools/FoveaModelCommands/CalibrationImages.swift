// Fovea - the images that a calibration looks at.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaEvaluation
internal import FoveaQuantization

/// The layers that calibrated `int8` does not compute in 8 bits, and all that were looked at.
struct ChosenLayers {
  var float: [LayerSensitivity] = []
  var int16: [LayerSensitivity] = []
  var all: [LayerSensitivity] = []
  /// The signal of the outputs over their noise, if it was measured.
  var decibels: Double?
}

/// The images that a calibration looks at, and what they say.
enum CalibrationImages {
  /// Options that say how much leaves 8 bits. Only the two shares go together.
  static let choices = ["--quality", "--max-loss", "--float-share", "--int16-share"]

  /// Calibrates `options` for the model of `model` over the images of a folder, or of a text file
  /// with one path a line, as `--calibrate` and `choices` say.
  ///
  /// - Returns: The layers that are not computed in 8 bits, and all that were looked at.
  /// - Throws: `CommandFailure` for no images, or one that cannot be read.
  @discardableResult
  static func calibrate(
    _ source: String, model: ModelSource, options: inout Model.Options, _ arguments: ArgumentList
  ) throws -> ChosenLayers {
    let share = try arguments.fraction("--float-share")
    let wideShare = try arguments.fraction("--int16-share")
    let loss = try arguments.fraction("--max-loss")
    let quality = try arguments.integer("--quality", in: 0...100)
    for option in ["--float-share", "--int16-share"] where arguments.has(option) {
      for search in ["--max-loss", "--quality"] where arguments.has(search) {
        throw UsageError("\(search) finds how much is computed otherwise; leave \(option) out")
      }
    }
    if loss != nil, quality != nil {
      throw UsageError("--max-loss and --quality are two searches; leave one out")
    }
    let calibrator = try measure(source, model: model, options: options)
    do {
      if let loss {
        return try search(calibrator, ImageList.paths(in: source), loss, options: &options)
      }
      guard share != nil || wideShare != nil else {
        return try search(
          calibrator, decibels: quality.map(Double.init) ?? NoiseSearch.defaultDecibels,
          options: &options)
      }
      options.backend = .int8(calibration: calibrator.ranges)
      let (share, wideShare) = (share ?? 0, wideShare ?? 0)
      guard share > 0 || wideShare > 0 else { return ChosenLayers() }
      SystemInterface.writeProgress("looking for layers that lose most")
      let all = try calibrator.sensitivities()
      let chosen = LayerSensitivity.selection(of: all, floatShare: share, int16Share: wideShare)
      SystemInterface.writeProgress("")
      options.backend = .int8(
        calibration: calibrator.ranges, computing: chosen, floatSums: share > 0)
      return ChosenLayers(float: chosen.float, int16: chosen.int16, all: all)
    } catch {
      throw CommandFailure(error, file: model.name)
    }
  }

  /// Takes out of 8 bits what it takes for outputs that are near those of float.
  private static func search(
    _ calibrator: ActivationCalibrator, decibels: Double, options: inout Model.Options
  ) throws -> ChosenLayers {
    options.backend = .int8(calibration: calibrator.ranges)
    guard decibels > 0 else { return ChosenLayers() }
    SystemInterface.writeProgress("looking for layers that lose most")
    let found = try NoiseSearch(calibrator).fastest(decibels: decibels) { count, found in
      SystemInterface.writeProgress(
        "\(count) layers outside 8 bits: \(NumberText.fixed(found, digits: 1)) dB")
    }
    SystemInterface.writeProgress("")
    options.backend = found.options.backend
    return ChosenLayers(
      float: found.floatLayers, int16: found.int16Layers, all: found.sensitivities,
      decibels: found.decibels)
  }

  /// Takes out of 8 bits what it takes to lose no more than `maximumLoss` of the objects in the images.
  private static func search(
    _ calibrator: ActivationCalibrator, _ images: [String], _ maximumLoss: Double,
    options: inout Model.Options
  ) throws -> ChosenLayers {
    SystemInterface.writeProgress("comparing objects with those that float finds")
    let search = try AgreementSearch(calibrator, images: images)
    let found = try search.cheapest(maximumLoss: maximumLoss) { step in
      SystemInterface.writeProgress(
        "\(step.floatLayers.count) layers in float, \(step.int16Layers.count) in 16 bits lose"
          + " \(NumberText.percent(step.loss)) of the objects")
    }
    SystemInterface.writeProgress("")
    guard found.loss <= maximumLoss else {
      throw CommandFailure(
        "int8 loses \(NumberText.percent(found.loss)) of the objects even with all layers in float;"
          + " use --backend float, or allow more with --max-loss")
    }
    options.backend = found.options.backend
    let keepsSums = found.options.backend.int8?.floatSums == true
    let sums = keepsSums ? "sums and \(found.floatLayers.count) layers" : "nothing"
    let words = found.int16Layers.isEmpty ? "" : ", \(found.int16Layers.count) layers in 16 bits"
    let agreement = found.agreement
    SystemInterface.writeOutput(
      "\(sums) in float\(words): of \(agreement.matchedCount + agreement.lostCount) objects that float"
        + " finds \(agreement.lostCount) are lost, \(agreement.newCount) are new;"
        + " \(NumberText.percent(found.loss)) without a partner\n")
    return ChosenLayers(
      float: found.floatLayers, int16: found.int16Layers, all: found.sensitivities)
  }

  /// The ranges of the activations of a model over images, by themselves.
  private static func measure(
    _ source: String, model: ModelSource, options: Model.Options
  ) throws -> ActivationCalibrator {
    do {
      let calibrator = try ActivationCalibrator(options: options, loading: model.load)
      try forEach(in: source) { try calibrator.add($0) }
      return calibrator
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(error, file: model.name)
    }
  }

  /// Calls `body` for each image of a folder, or of a text file with one path a line.
  ///
  /// - Throws: `CommandFailure` for no images, one that cannot be read, or what `body` throws.
  static func forEach(in source: String, _ body: (Image) throws -> Void) throws {
    let paths = try ImageList.paths(in: source)
    for (index, path) in paths.enumerated() {
      SystemInterface.writeProgress("calibrating \(index + 1)/\(paths.count)")
      do {
        try body(try Image(contentsOf: path))
      } catch {
        throw CommandFailure(error, file: path)
      }
    }
    SystemInterface.writeProgress("")
  }
}
