// Fovea - the files that something of several images is written to.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// The files that something of several images is written to.
package struct FilePattern {
  /// The path, in which `{}` stands for the image's name without folder and ending.
  package let text: String

  /// A pattern for a number of images.
  ///
  /// - Parameter option: The option that it is the value of, for the message.
  /// - Throws: `UsageError` for several images and one file.
  package init(_ text: String, _ option: String, images: Int) throws(UsageError) {
    guard images == 1 || Self.hasPlace(text) else {
      throw UsageError(
        "\(option) is '\(text)' for \(images) images; "
          + "write {} where the name of each belongs, such as found/{}.png")
    }
    self.text = text
  }

  /// Whether a path has `{}` in it.
  package static func hasPlace(_ text: String) -> Bool {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
      .contains { $0.hasPrefix("}") }
  }

  /// Where that of an image goes.
  package func path(for image: String) -> String {
    let name = FilePath.stem(of: image)
    var path = ""
    var rest = text[...]
    while let next = rest.first {
      let isPlace = rest.hasPrefix("{}")
      path += isPlace ? name : String(next)
      rest.removeFirst(isPlace ? 2 : 1)
    }
    return path
  }
}
