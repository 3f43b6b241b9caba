// Fovea - tests: folders of small pictures, drawn here.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaAnnotations
import FoveaImaging
import FoveaTestSupport

/// Folders of small pictures, drawn here.
struct PictureFolder {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The path of a file in it.
  func path(_ name: String) -> String { folder.path(name) }

  /// Writes a picture of one color, stored as `orientation` says.
  func draw(
    _ name: String, width: Int = 120, height: Int = 80, shade: Int = 0, orientation: UInt8 = 1
  ) throws {
    var bytes = try Self.jpeg(width: width, height: height, shade: shade)
    if orientation != 1 { bytes.insert(contentsOf: Self.exif(orientation), at: 2) }
    try write(name, bytes)
  }

  /// A picture of one color as JPEG.
  static func jpeg(width: Int, height: Int, shade: Int) throws -> [UInt8] {
    let pixel = [UInt8(shade), 120, 90]
    let rgb = (0..<width * height * 3).map { pixel[$0 % 3] }
    return try Image(width: width, height: height, rgb: rgb).jpegBytes(quality: 95)
  }

  /// Writes a file, and the folders on its way.
  func write(_ name: String, _ bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// Writes a text.
  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  /// Reads the pictures in `pictures` with annotations; with `nil` those among them.
  func read(
    _ pictures: String = "", _ annotations: String? = nil,
    options: AnnotationOptions = AnnotationOptions()
  ) throws(AnnotationError) -> AnnotatedSet {
    try AnnotatedSet(
      pictures: path(pictures), annotations: annotations.map(path), options: options)
  }

  /// What an error says; "" where there is none.
  func refusal(_ pictures: String = "", _ annotations: String? = nil) -> String {
    do throws(AnnotationError) {
      _ = try read(pictures, annotations)
      return ""
    } catch {
      return error.description
    }
  }

  func remove() { folder.remove() }

  /// A segment of JPEG files that says how they are to be turned.
  private static func exif(_ orientation: UInt8) -> [UInt8] {
    let tags: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0,
      0, 0, 0,
    ]
    let content = Array("Exif".utf8) + [0, 0] + tags
    return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
  }
}
