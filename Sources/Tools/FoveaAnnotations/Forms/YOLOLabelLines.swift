// Fovea - YOLO's labels of one picture: a line for each object.
// SPDX-License-Identifier: Apache-2.0

/// Reads YOLO's labels of one picture:
///
///     class x-center y-center width height
///
/// Classes count from 0. The other numbers are shares of the picture, from its upper left. A line with
/// the points of a polygon behind the class stands for the box around it.
package enum YOLOLabelLines {
  /// An object.
  package struct Object {
    /// Its line, from 1.
    package var line: Int
    package var classIndex: Int
    package var rectangle: RawRectangle
  }

  /// Reads the text of a file.
  ///
  /// - Parameter hasKeyPoints: Whether points of bodies may follow the box.
  /// - Throws: `.malformed`.
  package static func objects(
    in text: String, file: String, hasKeyPoints: Bool = false
  ) throws(AnnotationError) -> [Object] {
    var objects: [Object] = []
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let words = line.split(whereSeparator: \.isWhitespace)
      guard !words.isEmpty else { continue }
      guard let object = object(words, number, hasKeyPoints: hasKeyPoints) else {
        throw AnnotationError(
          .malformed, file, at: .line(number), "is no label of YOLO",
          "expected a class and four fractions: 16 0.48 0.63 0.69 0.71")
      }
      objects.append(object)
    }
    return objects
  }

  private static func object(_ words: [Substring], _ line: Int, hasKeyPoints: Bool) -> Object? {
    let numbers = words.compactMap { Double($0) }
    guard numbers.count == words.count, numbers.count >= 5, numbers.allSatisfy(\.isFinite),
      // Tools write 16 and 16.0.
      let classIndex = Int(exactly: numbers[0]), (0..<1_000_000).contains(classIndex)
    else { return nil }
    var rectangle: RawRectangle
    if numbers.count == 5 || hasKeyPoints {
      guard numbers[3] >= 0, numbers[4] >= 0 else { return nil }
      rectangle = RawRectangle(
        x: numbers[1], y: numbers[2], width: numbers[3], height: numbers[4])
      rectangle.anchor = .center
    } else {
      guard numbers.count >= 7, numbers.count % 2 == 1 else { return nil }
      let points = stride(from: 1, to: numbers.count, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
      guard let hull = RawRectangle(around: points) else { return nil }
      rectangle = hull
    }
    rectangle.isShare = true
    guard rectangle.isReasonable else { return nil }
    return Object(line: line, classIndex: classIndex, rectangle: rectangle)
  }
}
