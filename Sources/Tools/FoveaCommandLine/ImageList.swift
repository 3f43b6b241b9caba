// Fovea - the images of a folder, or of a list.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// The images of a folder, or of a list.
package enum ImageList {
  private static let endings = [
    ".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".tif", ".tiff", ".bmp", ".gif",
  ]

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
    guard !paths.isEmpty else { throw withoutImages(source) }
    return paths
  }

  /// Images that arguments name, each folder as the images in it in their natural order: what ends
  /// in 2 comes before what ends in 10.
  ///
  /// - Throws: `CommandFailure` for a folder without images.
  package static func expanded(_ arguments: some Sequence<String>) throws(CommandFailure)
    -> [String]
  {
    var paths: [String] = []
    for argument in arguments {
      guard let names = SystemInterface.fileNames(in: argument) else {
        paths.append(argument)
        continue
      }
      let images = names.filter(isImage).sorted(by: naturallyPrecedes)
      guard !images.isEmpty else { throw withoutImages(argument) }
      let folder = argument.hasSuffix("/") ? argument : argument + "/"
      paths += images.map { folder + $0 }
    }
    return paths
  }

  /// Whether a name comes before another where digits count as numbers.
  static func naturallyPrecedes(_ one: String, _ other: String) -> Bool {
    var (a, b) = (one.utf8[...], other.utf8[...])
    while let first = a.first, let second = b.first {
      let (number, otherNumber) = (takeNumber(&a), takeNumber(&b))
      if let number, let otherNumber {
        if number.count != otherNumber.count { return number.count < otherNumber.count }
        if !number.elementsEqual(otherNumber) {
          return number.lexicographicallyPrecedes(otherNumber)
        }
      } else if first != second {
        return first < second
      } else {
        (a, b) = (a.dropFirst(), b.dropFirst())
      }
    }
    return a.isEmpty && b.isEmpty ? one < other : a.isEmpty
  }

  /// The digits at the beginning without leading zeros, which are taken away; `nil` for none.
  private static func takeNumber(_ text: inout Substring.UTF8View) -> Substring.UTF8View? {
    let isDigit = { (letter: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter) }
    let digits = text.prefix(while: isDigit)
    guard !digits.isEmpty else { return nil }
    text = text.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func withoutImages(_ source: String) -> CommandFailure {
    CommandFailure("\(source): holds no images (.jpg, .png, .webp and others)")
  }

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
