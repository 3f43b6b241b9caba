// Fovea - the files that drawings are written to.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine
internal import FoveaPlots

/// The files that drawings of several images are written to.
package struct DrawingOutput {
  private let pattern: FilePattern

  /// The value of an option, or `nil` without it.
  ///
  /// - Throws: `UsageError` for an ending that is not written, or for several images and one file.
  package init?(_ name: String, _ arguments: ArgumentList, images: Int) throws(UsageError) {
    guard let path = try arguments.drawingPath(name) else { return nil }
    pattern = try FilePattern(path, name, images: images)
  }

  /// Where the drawing of an image goes.
  package func path(for image: String) -> String { pattern.path(for: image) }

  /// Draws boxes and regions on an image and writes it.
  ///
  /// - Throws: `CommandFailure`, which names the file.
  package func write(
    _ image: Image, named name: String, boxes: [LabeledBox] = [],
    regions: [LabeledRegion] = []
  ) throws(CommandFailure) {
    let path = path(for: name)
    do throws(DrawingError) {
      try AnnotatedImage(image, boxes: boxes, regions: regions).write(to: path)
    } catch {
      throw CommandFailure("\(error)")
    }
    SystemInterface.reportWritten(path)
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
    SystemInterface.reportWritten(path)
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

extension Image {
  /// The image in a file, to draw on: turned as `orientation` says, or as it says itself.
  ///
  /// - Throws: `CommandFailure`.
  package static func toDrawOn(
    _ path: String, orientation: ImageOrientation?
  ) throws(CommandFailure) -> Image {
    do throws(ImageError) {
      let image = try Image(contentsOf: path)
      guard let orientation else { return image }
      return try Image(
        width: image.width, height: image.height, rgb: image.rgb,
        storedOrientation: orientation.rawValue)
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}
