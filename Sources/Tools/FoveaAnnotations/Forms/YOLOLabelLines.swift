// Fovea - YOLO's labels of one picture: a line for each object.
// SPDX-License-Identifier: Apache-2.0

/// Reads YOLO's labels of one picture:
///
///     class x-center y-center width height
///
/// Classes count from 0. The other numbers are shares of the picture, from its upper left. A line with
/// the points of a polygon behind the class stands for the box around it. In a set of key points, these
/// follow the box: x and y, and 0 where nobody labeled the point:
///
///     class x-center y-center width height x y visibility x y visibility ...
package enum YOLOLabelLines {
  /// An object.
  package struct Object {
    /// Its line, from 1.
    package var line: Int
    package var classIndex: Int
    package var rectangle: RawRectangle
    /// What the line says beside the box.
    package var shape: RawShape?
  }

  /// Reads the text of a file.
  ///
  /// - Parameter keyPointNumbers: How many numbers a key point has, 2 or 3, in a set of key points.
  /// - Throws: `.malformed`.
  package static func objects(
    in text: String, file: String, keyPointNumbers: Int? = nil
  ) throws(AnnotationError) -> [Object] {
    var objects: [Object] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let words = line.split(whereSeparator: \.isWhitespace)
      guard !words.isEmpty else { continue }
      guard let object = object(words, number, keyPointNumbers: keyPointNumbers) else {
        throw AnnotationError(
          .malformed, file, at: .line(number), "is no label of YOLO",
          "expected a class and four fractions: 16 0.48 0.63 0.69 0.71")
      }
      objects.append(object)
    }
    return objects
  }

  private static func object(_ words: [Substring], _ line: Int, keyPointNumbers: Int?) -> Object? {
    let numbers = words.compactMap { Double($0) }
    guard numbers.count == words.count, numbers.count >= 5, numbers.allSatisfy(\.isFinite),
      // Tools write 16 and 16.0.
      let classIndex = Int(exactly: numbers[0]), (0..<1_000_000).contains(classIndex)
    else { return nil }
    var rectangle: RawRectangle
    var shape: RawShape?
    if numbers.count == 5 || keyPointNumbers != nil {
      guard numbers[3] >= 0, numbers[4] >= 0 else { return nil }
      rectangle = RawRectangle(
        x: numbers[1], y: numbers[2], width: numbers[3], height: numbers[4])
      rectangle.anchor = .center
      shape = keyPointNumbers.flatMap { RawShape(keypoints: numbers.dropFirst(5), numbers: $0) }
    } else {
      guard numbers.count >= 7, numbers.count % 2 == 1 else { return nil }
      let points = stride(from: 1, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
      guard let hull = RawRectangle(around: points) else { return nil }
      rectangle = hull
      shape = RawShape(outline: points)
    }
    rectangle.isShare = true
    guard rectangle.isReasonable else { return nil }
    return Object(line: line, classIndex: classIndex, rectangle: rectangle, shape: shape)
  }
}
