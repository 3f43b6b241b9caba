// Fovea - LabelMe's annotations: the shapes in one picture.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// Reads LabelMe's annotations of one picture. The picture inside the file is passed over.
enum LabelMeReader {
  /// Reads the bytes of a file.
  ///
  /// - Throws: `.malformed`.
  static func read(
    _ bytes: UnsafeRawBufferPointer, file: String
  ) throws(AnnotationError) -> RawAnnotations {
    var raw = RawAnnotations()
    var picture = RawAnnotations.Picture(name: "")
    try JSONAnnotations.parse(bytes, file: file) { parser throws(JSONError) in
      try parser.readObject { parser, key throws(JSONError) in
        switch key {
        case "imagePath": picture.name = try parser.readTextIfAny() ?? ""
        case "imageWidth": picture.width = try parser.readNumberIfAny()
        case "imageHeight": picture.height = try parser.readNumberIfAny()
        case "shapes":
          try parser.readArray { parser throws(JSONError) in
            if let box = try readShape(&parser, &raw) { picture.boxes.append(box) }
          }
        default: try parser.skipValue()
        }
      }
    }
    raw.pictures = [picture]
    return raw
  }

  private static func readShape(
    _ parser: inout JSONPullParser, _ raw: inout RawAnnotations
  ) throws(JSONError) -> RawAnnotations.Box? {
    var label: String?, type: String?
    var points: [(x: Double, y: Double)] = []
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "label": label = try parser.readText()
      case "shape_type": type = try parser.readTextIfAny()
      case "points": points = try parser.readPoints()
      default: try parser.skipValue()
      }
    }
    guard let label else { throw parser.error("a shape without label") }
    if type == "circle", points.count == 2 {
      let (x, y) = (points[1].x - points[0].x, points[1].y - points[0].y)
      let radius = (x * x + y * y).squareRoot()
      let middle = points[0]
      points = [(middle.x - radius, middle.y - radius), (middle.x + radius, middle.y + radius)]
    }
    guard let rectangle = RawRectangle(around: points) else {
      throw parser.error("a shape without points")
    }
    return RawAnnotations.Box(label: raw.label(label), rectangle: rectangle)
  }
}
