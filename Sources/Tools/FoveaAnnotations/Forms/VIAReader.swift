// Fovea - annotations of the VGG Image Annotator.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// Reads annotations of the VGG Image Annotator: an object with a member for each picture, or a project
/// that holds such an object.
enum VIAReader {
  /// Reads the bytes of a file.
  ///
  /// - Throws: `.malformed`.
  static func read(
    _ bytes: UnsafeRawBufferPointer, file: String
  ) throws(AnnotationError) -> RawAnnotations {
    var raw = RawAnnotations()
    try JSONAnnotations.parse(bytes, file: file) { parser throws(JSONError) in
      try parser.readObject { parser, key throws(JSONError) in
        switch key {
        case "_via_img_metadata":
          try parser.readObject { parser, _ throws(JSONError) in try readPicture(&parser, &raw) }
        default:
          if key.text?.hasPrefix("_via_") == true { return try parser.skipValue() }
          try readPicture(&parser, &raw)
        }
      }
    }
    return raw
  }

  private static func readPicture(
    _ parser: inout JSONPullParser, _ raw: inout RawAnnotations
  ) throws(JSONError) {
    var name: String?
    var boxes: [RawAnnotations.Box] = []
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "filename": name = try parser.readText()
      case "regions":
        // A list in version 2, an object with numbers as keys in version 1.
        if parser.objectFollows() {
          try parser.readObject { parser, _ throws(JSONError) in
            if let box = try readRegion(&parser, &raw) { boxes.append(box) }
          }
        } else {
          try parser.readArray { parser throws(JSONError) in
            if let box = try readRegion(&parser, &raw) { boxes.append(box) }
          }
        }
      default: try parser.skipValue()
      }
    }
    guard let name else { throw parser.error("a picture without filename") }
    var picture = RawAnnotations.Picture(name: name)
    picture.boxes = boxes
    raw.pictures.append(picture)
  }

  private static func readRegion(
    _ parser: inout JSONPullParser, _ raw: inout RawAnnotations
  ) throws(JSONError) -> RawAnnotations.Box? {
    var shape = Shape()
    var label: String?
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "shape_attributes": try shape.read(&parser)
      case "region_attributes": label = try readLabel(&parser)
      default: try parser.skipValue()
      }
    }
    guard let label else { throw parser.error("a region without a text in region_attributes") }
    guard let rectangle = shape.rectangle else {
      throw parser.error("a region whose shape is not known: '\(shape.name)'")
    }
    return RawAnnotations.Box(label: raw.label(label), rectangle: rectangle)
  }

  /// The attribute that is called like a label, else the first one with a text.
  private static func readLabel(_ parser: inout JSONPullParser) throws(JSONError) -> String? {
    var named: String?, first: String?
    try parser.readObject { parser, key throws(JSONError) in
      var isName = false
      switch key {
      case "label", "class", "name", "type": isName = true
      default: break
      }
      var text: String?
      if parser.objectFollows() {
        // Boxes to tick: an object of true values.
        try parser.readObject { parser, key throws(JSONError) in
          if text == nil { text = key.text }
          try parser.skipValue()
        }
      } else {
        text = try parser.readTextIfAny()
      }
      guard let text, !text.isEmpty else { return }
      if isName, named == nil { named = text }
      if first == nil { first = text }
    }
    return named ?? first
  }

  private struct Shape {
    var name = ""
    var numbers: [String: Double] = [:]
    var xs: [Double] = []
    var ys: [Double] = []

    mutating func read(_ parser: inout JSONPullParser) throws(JSONError) {
      try parser.readObject { parser, key throws(JSONError) in
        switch key {
        case "name": name = try parser.readText()
        case "all_points_x": xs = try parser.readCoordinates()
        case "all_points_y": ys = try parser.readCoordinates()
        default:
          if parser.numberFollows(), let text = key.text {
            numbers[text] = try parser.readCoordinate()
          } else {
            try parser.skipValue()
          }
        }
      }
    }

    var rectangle: RawRectangle? {
      if let x = numbers["x"], let y = numbers["y"], let width = numbers["width"],
        let height = numbers["height"]
      {
        return RawRectangle(x: x, y: y, width: width, height: height)
      }
      if let x = numbers["cx"], let y = numbers["cy"], let rx = numbers["r"] ?? numbers["rx"] {
        let ry = numbers["r"] ?? numbers["ry"] ?? rx
        return RawRectangle(left: x - rx, top: y - ry, right: x + rx, bottom: y + ry)
      }
      return RawRectangle(around: zip(xs, ys).map { ($0, $1) })
    }
  }
}
