// Fovea - the files that drawings are written to.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine

/// The files that drawings of several pictures are written to.
struct DrawingOutput {
  /// The path, in which `{}` stands for the picture's name without folder and ending.
  private let pattern: String

  /// The value of an option, or `nil` without it.
  ///
  /// - Throws: `UsageError` for an ending that is not written, or for several pictures and one file.
  init?(_ name: String, _ arguments: ArgumentList, pictures: Int) throws(UsageError) {
    guard let pattern = try arguments.drawingPath(name) else { return nil }
    guard pictures == 1 || pattern.contains("{}") else {
      throw UsageError(
        "\(name) is '\(pattern)' for \(pictures) pictures; "
          + "write {} where the name of each belongs, such as found/{}.png")
    }
    self.pattern = pattern
  }

  /// Where the drawing of a picture goes.
  func path(for picture: String) -> String {
    let file = picture.split(separator: "/").last.map(String.init) ?? picture
    let ending = file.lastIndex(of: ".")
    let name = ending.map { $0 == file.startIndex ? file : String(file[..<$0]) } ?? file
    let parts = pattern.split(separator: "{}", omittingEmptySubsequences: false)
    return parts.joined(separator: name)
  }

  /// Draws boxes and regions on a picture and writes it.
  ///
  /// - Throws: `CommandFailure`, which names the file.
  func write(
    _ picture: Picture, named name: String, boxes: [LabeledBox] = [],
    regions: [LabeledRegion] = []
  ) throws(CommandFailure) {
    do throws(DrawingError) {
      try AnnotatedPicture(picture, boxes: boxes, regions: regions).write(to: path(for: name))
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}

/// The file that a plot is written to.
struct PlotOutput {
  private let path: String

  /// The value of an option, or `nil` without it.
  ///
  /// - Throws: `UsageError` for an ending that is not written.
  init?(_ name: String, _ arguments: ArgumentList) throws(UsageError) {
    guard let path = try arguments.drawingPath(name) else { return nil }
    self.path = path
  }

  /// Writes a plot.
  ///
  /// - Throws: `CommandFailure`, which names the file.
  func write(_ plot: Plot) throws(CommandFailure) {
    do throws(DrawingError) { try plot.write(to: path) } catch { throw CommandFailure("\(error)") }
  }
}

extension ArgumentList {
  /// The path of a drawing.
  ///
  /// - Throws: `UsageError` for an ending that is not written.
  fileprivate func drawingPath(_ name: String) throws(UsageError) -> String? {
    guard let path = value(name) else { return nil }
    do throws(DrawingError) {
      _ = try DrawingFormat(forFile: path)
    } catch {
      throw UsageError("\(name): \(error)")
    }
    return path
  }
}

extension Picture {
  /// The picture in a file, to draw on: turned as `orientation` says, or as it says itself.
  ///
  /// - Throws: `CommandFailure`.
  static func toDrawOn(
    _ path: String, orientation: ImageOrientation?
  ) throws(CommandFailure) -> Picture {
    do throws(PictureError) {
      let picture = try Picture(contentsOf: path)
      guard let orientation else { return picture }
      return try Picture(
        width: picture.width, height: picture.height, rgb: picture.rgb,
        storedOrientation: orientation.rawValue)
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}
