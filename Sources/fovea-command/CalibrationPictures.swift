// Fovea - the pictures that a calibration looks at.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// The pictures that a calibration looks at, and what they say.
enum CalibrationPictures {
  /// The ranges of the activations of the model at `model` over the pictures of a folder, or of a text
  /// file with one path a line.
  ///
  /// - Throws: `CommandFailure` for no pictures, or one that cannot be read.
  static func measure(
    _ source: String, model: String, options: Model.Options, pool: ThreadPool? = nil
  ) throws -> ActivationRanges {
    do {
      let calibrator = try ActivationCalibrator(modelAt: model, options: options, pool: pool)
      try forEach(in: source) { try calibrator.add($0) }
      return calibrator.ranges
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
