// Fovea - COCO's masks and key points as they stand in files.
// SPDX-License-Identifier: Apache-2.0
package import FoveaJSON

/// What COCO's files say of an object beside its box.
package struct CocoShape {
  /// A mask.
  package enum Segmentation {
    /// Outlines: for each, x and y of its corners in pixels.
    case outlines([[Double]])
    /// Lengths of runs, column by column; `size` is rows and columns.
    case lengths([Int], size: [Int])
    /// The same as text.
    case text(String, size: [Int])
  }

  package var segmentation: Segmentation?
  /// x, y and how visible of each point; 0 for one that nobody labeled.
  package var keypoints: [Double]?

  package init() {}

  /// Reads the value of a key; `false` where it is another one.
  package mutating func read(
    _ key: JSONKey, _ parser: inout JSONPullParser
  ) throws(JSONError) -> Bool {
    switch key {
    case "segmentation":
      segmentation = try parser.unlessNull { parser throws(JSONError) in
        try Self.segmentation(&parser)
      }
    case "keypoints":
      let start = parser.offset
      keypoints = try parser.unlessNull { parser throws(JSONError) in
        try parser.readCoordinates()
      }
      guard (keypoints?.count ?? 0) % 3 == 0 else {
        throw parser.error("key points have three numbers each: x, y, visibility", at: start)
      }
    default: return false
    }
    return true
  }

  private static func segmentation(
    _ parser: inout JSONPullParser
  ) throws(JSONError) -> Segmentation {
    let start = parser.offset
    if parser.arrayFollows() {
      var outlines: [[Double]] = []
      try parser.readArray { parser throws(JSONError) in
        outlines.append(try parser.readCoordinates())
      }
      guard outlines.allSatisfy({ $0.count % 2 == 0 }) else {
        throw parser.error("an outline of an odd number of coordinates", at: start)
      }
      // Four numbers may be meant as a box, which COCO's own programs do not read either. Behind a
      // first outline, they are a line that holds no pixels.
      guard outlines.first?.count ?? 6 >= 6 else {
        throw parser.error(
          "an outline of \(outlines[0].count) numbers; expected three corners or more", at: start)
      }
      return .outlines(outlines)
    }
    var size: [Int] = [], text: String?, lengths: [Int]?
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "size": size = try parser.readIntegers()
      case "counts":
        if parser.textFollows() {
          text = try parser.readText()
        } else {
          lengths = try parser.readIntegers()
        }
      default: try parser.skipValue()
      }
    }
    if size.count == 2, let lengths { return .lengths(lengths, size: size) }
    if size.count == 2, let text { return .text(text, size: size) }
    throw parser.error("a mask without counts, or without the rows and columns of size", at: start)
  }
}

extension JSONPullParser {
  /// Reads an array of whole numbers.
  fileprivate mutating func readIntegers() throws(JSONError) -> [Int] {
    var numbers: [Int] = []
    try readArray { parser throws(JSONError) in numbers.append(try parser.readInteger()) }
    return numbers
  }
}
