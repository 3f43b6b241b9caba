// Fovea - Label Studio's annotations, in the complete and the minimal form.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON
internal import FoveaLibc

/// Reads Label Studio's annotations: a list of tasks. Boxes are in percent of the picture.
struct LabelStudioReader {
  private var raw = RawAnnotations()
  /// How many annotations of tasks were not the first ones.
  private var others = 0

  /// Reads the bytes of a file.
  ///
  /// - Throws: `.malformed`.
  static func read(
    _ bytes: UnsafeRawBufferPointer, file: String
  ) throws(AnnotationError) -> RawAnnotations {
    var reader = LabelStudioReader()
    try JSONAnnotations.parse(bytes, file: file) { parser throws(JSONError) in
      try parser.readArray { parser throws(JSONError) in try reader.readTask(&parser) }
    }
    if reader.others > 0 {
      reader.raw.findings.append(
        AnnotationFinding(
          .leftOut, file,
          "\(reader.others) annotations of tasks that have several; the first of each counts"))
    }
    return reader.raw
  }

  private mutating func readTask(_ parser: inout JSONPullParser) throws(JSONError) {
    var picture = RawAnnotations.Picture(name: "")
    var results: [[Region]] = []
    var regions: [Region] = []
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "data":
        try parser.readObject { parser, key throws(JSONError) in
          try Self.readName(key, &parser, &picture.name)
        }
      case "annotations", "completions":
        try parser.readArray { parser throws(JSONError) in
          if let result = try Self.readAnnotation(&parser) { results.append(result) }
        }
      case "predictions": try parser.skipValue()
      default:
        if parser.arrayFollows() {
          regions += try Self.readMinimal(&parser)
        } else {
          try Self.readName(key, &parser, &picture.name)
        }
      }
    }
    guard !picture.name.isEmpty else { throw parser.error("a task without the name of a picture") }
    others += max(0, results.count - 1)
    for region in results.first ?? regions { try add(region, to: &picture, parser) }
    raw.pictures.append(picture)
  }

  /// The value of `image`, else the first text that may be a path.
  private static func readName(
    _ key: JSONKey, _ parser: inout JSONPullParser, _ name: inout String
  ) throws(JSONError) {
    guard let text = try parser.readTextIfAny() else { return }
    switch key {
    case "image": name = text
    default:
      if name.isEmpty, text.utf8.contains(UInt8(ascii: ".")), !text.includes(": ") { name = text }
    }
  }

  private static func readAnnotation(
    _ parser: inout JSONPullParser
  ) throws(JSONError) -> [Region]? {
    var isCancelled = false
    var regions: [Region] = []
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "was_cancelled":
        isCancelled =
          try parser.unlessNull { parser throws(JSONError) in try parser.readFlag() } ?? false
      case "result":
        try parser.readArray { parser throws(JSONError) in
          var region = Region()
          try region.readMembers(&parser)
          regions.append(region)
        }
      default: try parser.skipValue()
      }
    }
    return isCancelled ? nil : regions
  }

  /// The regions of the minimal form; none for a list of anything else.
  private static func readMinimal(_ parser: inout JSONPullParser) throws(JSONError) -> [Region] {
    var regions: [Region] = []
    try parser.readArray { parser throws(JSONError) in
      guard parser.objectFollows() else { return try parser.skipValue() }
      var region = Region()
      try region.readMembers(&parser)
      regions.append(region)
    }
    return regions
  }

  private mutating func add(
    _ region: Region, to picture: inout RawAnnotations.Picture, _ parser: JSONPullParser
  ) throws(JSONError) {
    guard let label = region.label else { return }
    guard let rectangle = region.rectangle else {
      throw parser.error("a region '\(label)' without x, y, width and height (\(picture.name))")
    }
    if let width = region.originalWidth, let height = region.originalHeight {
      (picture.width, picture.height) = (width, height)
    } else if region.rotation != 0 {
      throw parser.error("a turned region without original_width (\(picture.name))")
    }
    picture.boxes.append(.init(label: raw.label(label), rectangle: rectangle))
  }
}

/// A region of a task.
private struct Region {
  var label: String?
  var numbers: [String: Double] = [:]
  var points: [(x: Double, y: Double)] = []
  var originalWidth: Double?
  var originalHeight: Double?

  var rotation: Double { numbers["rotation"] ?? 0 }

  /// Members of a result and those of its value, which the minimal form has in one object.
  mutating func readMembers(_ parser: inout JSONPullParser) throws(JSONError) {
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "value": try readMembers(&parser)
      case "original_width": originalWidth = try parser.readNumberIfAny()
      case "original_height": originalHeight = try parser.readNumberIfAny()
      case "x", "y", "width", "height", "rotation", "radiusX", "radiusY":
        if let name = key.text { numbers[name] = try parser.readCoordinate() }
      case "points": points = try parser.readPoints()
      case "rectanglelabels", "polygonlabels", "ellipselabels", "labels":
        label = try parser.readTexts().first ?? label
      default: try parser.skipValue()
      }
    }
  }

  /// In pixels where the size is known, else in shares.
  var rectangle: RawRectangle? {
    let width = originalWidth ?? 1
    let height = originalHeight ?? 1
    func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (x * width / 100, y * height / 100)
    }
    var corners: [(x: Double, y: Double)]
    if !points.isEmpty {
      corners = points.map { place($0.x, $0.y) }
    } else if let x = numbers["x"], let y = numbers["y"] {
      if let rx = numbers["radiusX"], let ry = numbers["radiusY"] {
        corners = [place(x - rx, y - ry), place(x + rx, y + ry)]
      } else if let w = numbers["width"], let h = numbers["height"] {
        if rotation == 0 {
          let (start, size) = (place(x, y), place(w, h))
          return finished(RawRectangle(x: start.x, y: start.y, width: size.x, height: size.y))
        }
        corners = [place(x, y), place(x + w, y), place(x, y + h), place(x + w, y + h)]
        // About the upper left corner.
        corners = corners.map { Turning.turned($0, degrees: rotation, about: corners[0]) }
      } else {
        return nil
      }
    } else {
      return nil
    }
    return RawRectangle(around: corners).map(finished)
  }

  private func finished(_ rectangle: RawRectangle) -> RawRectangle {
    var rectangle = rectangle
    rectangle.isShare = originalWidth == nil || originalHeight == nil
    return rectangle
  }
}
