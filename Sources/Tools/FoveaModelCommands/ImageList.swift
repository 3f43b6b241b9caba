// Fovea - the images of a folder, or of a list.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine
internal import FoveaFiles

/// The images of a folder, or of a list.
package enum ImageList {
  /// The files in a folder whose names end like images', in the order of their names; or the
  /// lines of a text file.
  ///
  /// - Throws: `CommandFailure` for what is neither, or names no image.
  package static func paths(in source: String) throws(CommandFailure) -> [String] {
    let paths: [String]
    if let names = SystemInterface.fileNames(in: source) {
      paths = names.sorted().filter(isImage).map { source + "/" + $0 }
    } else {
      paths = try text(of: source).split(whereSeparator: \.isNewline)
        .map { $0.trimmingSpaces() }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
    guard !paths.isEmpty else {
      throw CommandFailure("\(source): holds no images (.jpg, .jpeg, .png, .webp)")
    }
    return paths
  }

  private static let endings = [
    ".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".tif", ".tiff", ".bmp", ".gif",
  ]

  /// Whether a name ends like those of images.
  package static func isImage(_ name: String) -> Bool {
    let lower = name.lowercased()
    return endings.contains { lower.hasSuffix($0) }
  }

  private static func text(of path: String) throws(CommandFailure) -> String {
    do throws(FileError) {
      return String(decoding: try FileBytes.read(path, maximumCount: 1 << 24), as: UTF8.self)
    } catch {
      throw CommandFailure("\(path): \(error); name a folder of images or a list of paths")
    }
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
