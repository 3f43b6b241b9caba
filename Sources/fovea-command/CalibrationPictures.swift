// Fovea - the pictures that a calibration looks at.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// The pictures that a calibration looks at, and what they say.
enum CalibrationPictures {
  /// The part of the multiplications that may stay in floats unless the arguments say otherwise:
  /// small layers between others, and sums, cost half of the time of a small network.
  static let defaultFloatShare = 0.0

  /// Calibrates `options` for the model at `model` over the pictures of a folder, or of a text file
  /// with one path a line, as `--calibrate` and `--float-share` say.
  ///
  /// - Returns: The layers that stay in floats, and all that were looked at.
  /// - Throws: `CommandFailure` for no pictures, or one that cannot be read.
  @discardableResult
  static func calibrate(
    _ source: String, model: String, options: inout Model.Options, _ arguments: ArgumentList
  ) throws -> (kept: [LayerSensitivity], all: [LayerSensitivity]) {
    let share = try arguments.fraction("--float-share") ?? defaultFloatShare
    options.floatSums = share > 0
    let calibrator = try measure(source, model: model, options: options)
    options.backend = .int8
    options.activationRanges = calibrator.ranges
    guard share > 0 else { return ([], []) }
    do {
      SystemInterface.writeProgress("looking for layers that lose most")
      let all = try calibrator.sensitivities()
      let kept = LayerSensitivity.kept(all, budget: share)
      SystemInterface.writeProgress("")
      options.floatLayers = Set(kept.map(\.layer))
      return (kept, all)
    } catch {
      throw CommandFailure(error, file: model)
    }
  }

  /// The ranges of the activations of a model over pictures, by themselves.
  static func measure(
    _ source: String, model: String, options: Model.Options, pool: ThreadPool? = nil
  ) throws -> ActivationCalibrator {
    do {
      let calibrator = try ActivationCalibrator(modelAt: model, options: options, pool: pool)
      try forEach(in: source) { try calibrator.add($0) }
      return calibrator
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(error, file: model)
    }
  }

  /// Calls `body` for each picture of a folder, or of a text file with one path a line.
  ///
  /// - Throws: `CommandFailure` for no pictures, one that cannot be read, or what `body` throws.
  static func forEach(in source: String, _ body: (Picture) throws -> Void) throws {
    let paths = try PictureList.paths(in: source)
    for (index, path) in paths.enumerated() {
      SystemInterface.writeProgress("calibrating \(index + 1)/\(paths.count)")
      do {
        try body(try Picture(contentsOf: path))
      } catch {
        throw CommandFailure(error, file: path)
      }
    }
    SystemInterface.writeProgress("")
  }
}
