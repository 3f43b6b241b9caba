// Fovea - annotations written as lines of text: YOLO and tables.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// YOLO's labels of one picture, and the description of the set.
enum YOLOWriter {
  /// Digits of shares, so that pictures of 50,000 columns keep hundredths of a pixel.
  private static let digits = 8

  static func text(of picture: AnnotatedSet.Picture) -> String {
    let (columns, rows) = (Double(picture.width), Double(picture.height))
    return picture.boxes.map { box in
      let shares = [
        (box.x + box.width / 2) / columns, (box.y + box.height / 2) / rows, box.width / columns,
        box.height / rows,
      ]
      let numbers = shares.map { BoxNumber.text($0, digits: digits) }.joined(separator: " ")
      return "\(box.classIndex) \(numbers)\n"
    }.joined()
  }

  /// Where labels lie: in `labels` where the picture lies in `images`.
  static func labelPath(_ name: String) -> String {
    var parts = name.split(separator: "/").map(String.init)
    guard let images = parts.dropLast().lastIndex(of: "images") else { return "labels/" + name }
    parts[images] = "labels"
    return parts.joined(separator: "/")
  }

  static func description(of set: AnnotatedSet) -> String {
    // Texts in quotes are written in YAML as in JSON.
    let names = set.classes.enumerated().map { "  \($0): \(JSONText.quoted($1))\n" }.joined()
    return "path: .\ntrain: images\nval: images\nnames:" + (names.isEmpty ? " {}\n" : "\n" + names)
  }
}

/// A table with a row for each box, as Turi Create's examples have it.
enum CSVWriter {
  static func text(of set: AnnotatedSet) -> String {
    var text = "name,label,xMin,xMax,yMin,yMax\n"
    for picture in set.pictures {
      for box in picture.boxes {
        let numbers = [box.x, box.maxX, box.y, box.maxY].map { BoxNumber.text($0) }
        let cells = [quoted(picture.name), quoted(set.classes[box.classIndex])] + numbers
        text += cells.joined(separator: ",") + "\n"
      }
    }
    return text
  }

  /// A cell, in quotes where it must be.
  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { byte in
      [",", ";", "\"", "\n", "\r", "\t"].contains(Unicode.Scalar(byte))
    }
    guard needsQuotes || text.isEmpty else { return text }
    return "\"" + text.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }
}
