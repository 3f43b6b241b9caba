// Fovea - why an image could not be read or written.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// The reason why an image could not be read or written. `description` names the file, the cause
/// and the remedy.
public struct ImageError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no such file.
    case missingFile
    /// The path is that of a folder.
    case isDirectory
    /// The system could not read the file; with its message.
    case unreadable(String)
    /// The system could not write the file; with its message.
    case unwritable(String)
    /// The file has more bytes than `ImageLimits.maximumFileBytes`.
    case fileTooLarge(limit: Int)
    /// The file has no bytes.
    case emptyFile
    /// The file is a pointer of Git LFS, not the image itself.
    case gitLFSPointer
    /// The bytes do not begin like any known image format.
    case notAnImage(isText: Bool)
    /// A TIFF file of a camera whose pixels are samples of a sensor.
    case rawPhotograph
    /// An animation of WebP: a file with several images.
    case animation(ImageFormat)
    /// The system has no library that decodes the format; with the loader's message.
    case libraryUnavailable(ImageFormat, String)
    /// A format that this build leaves out.
    case traitDisabled(ImageFormat)
    /// The data end before the image is complete.
    case truncated(ImageFormat)
    /// The data are not valid for the format; with the decoder's message.
    case damaged(ImageFormat, String)
    /// The pixels are not the numbers that were asked for; with what they are.
    case notNumbers(String)
    /// A side has no pixels.
    case noPixels(width: Int, height: Int)
    /// The image has more pixels than `ImageLimits.maximumPixels`.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    /// A file of this length cannot hold an image of the size that it states.
    case impossibleSize(width: Int, height: Int, fileBytes: Int)
    /// The number of samples is not width x height x 3.
    case wrongSampleCount(expected: Int, found: Int)
    /// The JPEG quality is outside 1...100.
    case invalidQuality(Int)
    /// The encoder failed; with its message.
    case notEncodable(String)
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

extension ImageError: CustomStringConvertible {
  /// One line with the file, the cause and the remedy.
  public var description: String { "\(file ?? "image"): \(explanation)" }

  /// The cause and the remedy, without the file.
  package var explanation: String {
    let (cause, remedy) = reason.explanation
    return "\(cause); \(remedy)"
  }
}

extension ImageError.Reason {
  /// The cause and the remedy.
  fileprivate var explanation: (cause: String, remedy: String) {
    let fetchAgain = "copy or download the file again"
    switch self {
    case .missingFile: return words(of: .missing)
    case .isDirectory: return ("\(FileError.isDirectory)", "name an image file in it")
    case .unreadable(let words): return self.words(of: .unreadable(words))
    case .unwritable(let words): return self.words(of: .unwritable(words))
    case .fileTooLarge(let limit):
      return ("\(FileError.tooLarge(limit: limit))", "make it smaller or raise the limit")
    case .emptyFile: return ("is empty (0 bytes)", fetchAgain)
    case .gitLFSPointer:
      return ("is a Git LFS pointer, not the file itself", "run 'git lfs pull'")
    case .notAnImage(let isText):
      return (
        isText ? "is text, not an image" : "is not an image", "use a JPEG, PNG, WebP or HEIC file"
      )
    case .rawPhotograph: return ("is a raw photograph, which is not read", "convert it to JPEG")
    case .libraryUnavailable(let format, let words):
      return (
        "\(format.rawValue) images cannot be decoded on this system: \(words)",
        "install \(format.debianPackage ?? "its library") (the name in Debian), or use JPEG or PNG"
      )
    case .animation(let format):
      return ("is an animated \(format.rawValue)", "extract an image of it and use that")
    case .traitDisabled(let format):
      return (
        "\(format.rawValue) is left out of this build",
        "build with the package trait \(format.trait ?? format.rawValue)"
      )
    case .truncated(let format):
      return ("the \(format.rawValue) data end before the image is complete", fetchAgain)
    case .damaged(let format, let words):
      return ("the \(format.rawValue) data are damaged: \(words)", fetchAgain)
    case .notNumbers(let words):
      return (
        "its pixels are no plain numbers: \(words)", "write a palette, or gray levels without gamma"
      )
    default: return sizeExplanation
    }
  }

  private func words(of error: FileError) -> (cause: String, remedy: String) {
    ("\(error)", error.remedy)
  }

  /// The cause and the remedy of the reasons that concern sizes.
  private var sizeExplanation: (cause: String, remedy: String) {
    switch self {
    case .noPixels(let width, let height):
      return ("claims \(width) x \(height) pixels", "use an image with at least one pixel")
    case .tooManyPixels(let width, let height, let limit):
      return (
        "claims \(width) x \(height) pixels, more than the limit of \(limit)",
        "make it smaller or raise the limit"
      )
    case .impossibleSize(let width, let height, let fileBytes):
      return (
        "claims \(width) x \(height) pixels, which \(fileBytes) bytes cannot hold",
        "copy or download the file again"
      )
    case .wrongSampleCount(let expected, let found):
      return ("\(found) samples given where \(expected) are needed", "give width x height x 3")
    case .invalidQuality(let quality):
      return ("\(quality) is no JPEG quality", "use 1...100")
    case .notEncodable(let words):
      return ("cannot be encoded: \(words)", "use a smaller image, as PNG or JPEG")
    default: return ("cannot be used", "use another file")
    }
  }
}
