// Fovea - YOLO's label files: a line for each object.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
public import FoveaGeometry

/// Label files of YOLO: one for each image, with a line for each object:
///
///     class x-center y-center width height
///
/// Classes count from 0. The other numbers are fractions of the image, from its upper left.
public enum YOLOLabels {
  /// Reads the objects of an image of `size` from the file at `path`. The category is the class.
  ///
  /// - Throws: `.unreadable`, `.malformed`.
  public static func objects(
    contentsOf path: String, imageSize size: ImageSize
  ) throws(EvaluationError) -> [GroundTruthObject] {
    try AnnotationFile.withBytes(of: path) { bytes throws(EvaluationError) in
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw .malformed(path: path, place: .byte(0), reason: "the file is no text in UTF-8")
      }
      return try objects(in: text, imageSize: size, name: path)
    }
  }

  /// Reads the objects of an image of `size` from `text`, which errors call `name`.
  ///
  /// - Throws: `.malformed`.
  public static func objects(
    in text: String, imageSize size: ImageSize, name: String = "labels"
  ) throws(EvaluationError) -> [GroundTruthObject] {
    var objects: [GroundTruthObject] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let words = line.split(whereSeparator: \.isWhitespace)
      guard !words.isEmpty else { continue }
      guard let object = object(words, size) else {
        throw .malformed(
          path: name, place: .line(number),
          reason: "expected a class and four fractions: 16 0.48 0.63 0.69 0.71")
      }
      objects.append(object)
    }
    return objects
  }

  private static func object(_ words: [Substring], _ size: ImageSize) -> GroundTruthObject? {
    let numbers = words.compactMap { Double($0) }
    guard words.count == 5, numbers.count == 5, numbers.allSatisfy(\.isFinite),
      // Tools write 16 and 16.0.
      let category = Int(exactly: numbers[0]), category >= 0, numbers[3] >= 0, numbers[4] >= 0
    else { return nil }
    let (columns, rows) = (Double(size.width), Double(size.height))
    let (width, height) = (numbers[3] * columns, numbers[4] * rows)
    let box = PixelBox(
      x: numbers[1] * columns - width / 2, y: numbers[2] * rows - height / 2, width: width,
      height: height)
    return box.isFinite ? GroundTruthObject(category: category, box: box) : nil
  }
}
