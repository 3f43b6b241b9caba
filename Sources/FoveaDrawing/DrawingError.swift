// Fovea - why nothing could be drawn.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging

/// Why a drawing could not be made or written. `description` names the file where it is known, the
/// cause, and what to do.
public struct DrawingError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// Drawing is left out of this build; the package trait is `Drawing`.
    case traitDisabled
    /// cairo cannot be opened; the words of the system's loader.
    case libraryUnavailable(String)
    /// The end of the file's name says no format that is written here.
    case unknownFormat(extension: String)
    /// A side has more pixels than cairo draws on.
    case tooLarge(width: Int, height: Int, limit: Int)
    /// There is no pixel to draw on.
    case nothingToDraw
    /// The instructions were made for another size than the image's.
    case sizesDiffer(instructions: String, image: String)
    /// cairo gave up; its words.
    case failed(String)
    /// The image cannot be encoded, or the file not written.
    case image(ImageError.Reason)
  }

  /// What went wrong.
  public var reason: Reason
  /// The file's path as it was given, where there is a file.
  public var file: String?

  /// An error for `reason`, about `file` where there is one.
  public init(_ reason: Reason, file: String? = nil) {
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
  /// The file, the cause and the remedy, in one line.
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
