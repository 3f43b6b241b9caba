// Fovea - the folder that parts of pictures are written to.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
package import FoveaCommandLine
internal import FoveaFiles

/// The folder that parts of pictures are written to: a folder for each class, a file for each
/// object.
package struct CropOutput: Sendable {
  package static let option = CommandDescription.Option(
    name: "--crop", value: "FOLDER",
    help: "write what is in each box to FOLDER/CLASS/PICTURE-NUMBER.jpg")

  private let folder: String

  /// Reads the option; `nil` without it.
  package init?(_ arguments: ArgumentList) {
    guard let folder = arguments.value("--crop") else { return nil }
    self.folder = folder
  }

  /// Writes what a box of an upright image covers. A box outside of it has no file.
  ///
  /// - Parameters:
  ///   - name: What the file's name begins with.
  ///   - number: Which object of the image it is, from 1.
  /// - Throws: `CommandFailure`, which names the file.
  package func write(
    _ box: NormalizedRect, of image: Image, label: String, name: String, number: Int
  ) throws(CommandFailure) {
    guard let part = image.cropped(to: box) else { return }
    let place = folder + "/" + Self.folderName(of: label)
    do throws(FileError) {
      try FilePath.makeFolders(place)
    } catch {
      throw CommandFailure("\(place): \(error)")
    }
    do throws(ImageError) {
      try part.write(to: "\(place)/\(name)-\(number).jpg", as: .jpeg)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// A class as the name of a folder that lies where it should.
  private static func folderName(of label: String) -> String {
    var name = label.map { $0 == "/" || $0 == "\0" ? "_" : $0 }[...]
    while name.first == "." || name.first == " " { name.removeFirst() }
    while name.last == "." || name.last == " " { name.removeLast() }
    return name.isEmpty ? "_" : String(name)
  }
}
