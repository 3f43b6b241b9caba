// Fovea - the pictures that a calibration looks at.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaFiles

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
    let paths = try paths(in: source)
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

  private static func text(of path: String) throws -> String {
    do throws(FileError) {
      return String(decoding: try FileBytes.read(path, maximumCount: 1 << 24), as: UTF8.self)
    } catch {
      throw CommandFailure("\(path): \(error); name a folder of pictures or a list of paths")
    }
  }

  /// The files in a folder whose names end like pictures', in the order of their names; or the
  /// lines of a text file.
  private static func paths(in source: String) throws -> [String] {
    let paths: [String]
    if let names = SystemInterface.fileNames(in: source) {
      paths = names.sorted().filter { name in
        let lower = name.lowercased()
        return [".jpg", ".jpeg", ".png"].contains { lower.hasSuffix($0) }
      }.map { source + "/" + $0 }
    } else {
      paths = try text(of: source).split(whereSeparator: \.isNewline)
        .map { $0.trimmingSpaces() }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
    guard !paths.isEmpty else {
      throw CommandFailure("\(source): holds no pictures (.jpg, .jpeg, .png) to calibrate with")
    }
    return paths
  }
}

extension Substring {
  fileprivate func trimmingSpaces() -> String {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
