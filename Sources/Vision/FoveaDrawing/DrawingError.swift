// Fovea - why nothing could be drawn.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging

/// The reason why a drawing could not be made or written. `description` names the file, the cause
/// and the remedy.
public struct DrawingError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// This build leaves out drawing. The package trait is `Drawing`.
    case traitDisabled
    /// cairo cannot be opened; with the message of the system's loader.
    case libraryUnavailable(String)
    /// The extension of the file's name is not that of a supported format.
    case unknownFormat(extension: String)
    /// A side has more pixels than cairo supports.
    case tooLarge(width: Int, height: Int, limit: Int)
    /// There are no pixels to draw on.
    case nothingToDraw
    /// The instructions were made for another size than that of the image.
    case sizesDiffer(instructions: String, image: String)
    /// cairo failed; with its message.
    case failed(String)
    /// The image cannot be encoded, or the file cannot be written.
    case image(ImageError.Reason)
  }

  /// What went wrong.
  public var reason: Reason
  /// The path of the file as it was given; `nil` without a file.
  public var file: String?

  /// Creates an error for `reason`, about `file` if there is one.
  package init(_ reason: Reason, file: String? = nil) {
    self.reason = reason
    self.file = file
  }
}

extension DrawingError {
  /// Runs what can fail with an image.
  static func translating<Result>(
    _ body: () throws(ImageError) -> Result
  ) throws(DrawingError) -> Result {
    do throws(ImageError) {
      return try body()
    } catch {
      throw DrawingError(.image(error.reason))
    }
  }
}

extension DrawingError: CustomStringConvertible {
  /// One line with the file, the cause and the remedy.
  public var description: String {
    let subject = file ?? "drawing"
    switch reason {
    case .traitDisabled:
      return "\(subject): drawing is left out of this build; "
        + "build with the package trait Drawing, or write an SVG file"
    case .libraryUnavailable(let words):
      return "\(subject): cairo cannot be opened: \(words); "
        + "install libcairo2, or write an SVG file"
    case .unknownFormat(let found):
      let name = found.isEmpty ? "a name without an ending" : "the ending .\(found)"
      return "\(subject): \(name) says no format that is written; "
        + "end the name in \(DrawingFormat.allEndings)"
    case .tooLarge(let width, let height, let limit):
      return "\(subject): \(width) x \(height) pixels are too many to draw on; "
        + "use at most \(limit) on a side, or write an SVG file"
    case .nothingToDraw:
      return "\(subject): there is no pixel to draw on; give at least one image"
    case .sizesDiffer(let instructions, let image):
      return "\(subject): the instructions are for \(instructions) pixels, the image has "
        + "\(image); make them for the upright image's size"
    case .failed(let words):
      return "\(subject): cairo gave up: \(words); use a smaller image"
    case .image(let reason):
      return ImageError(reason, file: file).description
    }
  }
}
