// Fovea - in which formats drawings are written.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaImaging

/// A file format for drawings.
public enum DrawingFormat: String, Hashable, Sendable, CaseIterable {
  /// PNG: pixels without loss.
  case png
  /// JPEG: pixels in a small file, with losses.
  case jpeg
  /// SVG: shapes and text that stay sharp at any size.
  case svg

  /// Creates the format for the extension of a file's name, whatever its case.
  ///
  /// - Throws: `.unknownFormat`; the error names the file.
  public init(forFile path: String) throws(DrawingError) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let ending = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
    guard let format = Self.allCases.first(where: { $0.endings.contains(ending) }) else {
      throw DrawingError(.unknownFormat(extension: ending), file: path)
    }
    self = format
  }

  /// The extensions of the format, in lower case.
  package var endings: [String] {
    switch self {
    case .png: ["png"]
    case .jpeg: ["jpg", "jpeg"]
    case .svg: ["svg"]
    }
  }

  /// All endings, for people: ".png, .jpg, .jpeg or .svg".
  static var allEndings: String {
    let names = allCases.flatMap(\.endings).map { "." + $0 }
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}

/// Makes or replaces the file at `path`, and names it in errors.
package func writeDrawing(
  to path: String, _ bytes: (DrawingFormat) throws(DrawingError) -> [UInt8]
) throws(DrawingError) {
  do throws(DrawingError) {
    let made = try bytes(DrawingFormat(forFile: path))
    do throws(FileError) {
      try FileBytes.write(made, to: path)
    } catch {
      throw DrawingError(.image(reason(of: error)))
    }
  } catch {
    throw DrawingError(error.reason, file: path)
  }
}

/// What a failure of the file system is in the words of images.
private func reason(of error: FileError) -> ImageError.Reason {
  switch error {
  case .missing: .missingFile
  case .isDirectory: .isDirectory
  case .unreadable(let words): .unreadable(words)
  case .unwritable(let words): .unwritable(words)
  case .tooLarge(let limit): .fileTooLarge(limit: limit)
  }
}
