// Fovea - Create ML's annotations, in the spellings of several programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaJSON

/// Reads Create ML's annotations: a list of pictures, each with boxes.
///
/// Create ML writes `imagefilename` and `annotation`, LabelImg, RectLabel and Roboflow `image` and
/// `annotations`. Any mixture is read.
struct CreateMLReader {
  private let options: AnnotationOptions
  private var raw = RawAnnotations()

  private init(_ options: AnnotationOptions) { self.options = options }

  /// Reads the bytes of a file.
  ///
  /// - Throws: `.malformed`.
  static func read(
    _ bytes: UnsafeRawBufferPointer, file: String, options: AnnotationOptions
  ) throws(AnnotationError) -> RawAnnotations {
    var reader = CreateMLReader(options)
    try JSONAnnotations.parse(bytes, file: file) { parser throws(JSONError) in
      try parser.readArray { parser throws(JSONError) in
        try reader.readPicture(&parser)
      }
    }
    return reader.raw
  }

  private mutating func readPicture(_ parser: inout JSONPullParser) throws(JSONError) {
    var name: String?
    var boxes: [RawAnnotations.Box] = []
    do throws(JSONError) {
      try parser.readObject { parser, key throws(JSONError) in
        switch key {
        case "imagefilename", "image", "filename", "imageFilename": name = try parser.readText()
        case "annotation", "annotations":
          if try parser.takeNull() { return }
          try parser.readArray { parser throws(JSONError) in
            boxes.append(try readBox(&parser))
          }
        default: try parser.skipValue()
        }
      }
    } catch {
      let picture = name ?? "picture \(raw.pictures.count + 1) of the list"
      throw JSONError(offset: error.offset, reason: "\(error.reason) (\(picture))")
    }
    guard let name else { throw parser.error("a picture without imagefilename or image") }
    var picture = RawAnnotations.Picture(name: name)
    picture.boxes = boxes
    raw.pictures.append(picture)
  }

  private mutating func readBox(
    _ parser: inout JSONPullParser
  ) throws(JSONError) -> RawAnnotations.Box {
    var label: String?
    var x: Double?, y: Double?, width: Double?, height: Double?
    try parser.readObject { parser, key throws(JSONError) in
      switch key {
      case "label": label = try parser.readText()
      case "coordinates":
        try parser.readObject { parser, key throws(JSONError) in
          switch key {
          case "x": x = try parser.readCoordinate()
          case "y": y = try parser.readCoordinate()
          case "width": width = try parser.readCoordinate()
          case "height": height = try parser.readCoordinate()
          default: try parser.skipValue()
          }
        }
      default: try parser.skipValue()
      }
    }
    guard let label, let x, let y, let width, let height else {
      throw parser.error("a box without label, or without x, y, width and height in coordinates")
    }
    var rectangle = RawRectangle(x: x, y: y, width: width, height: height)
    rectangle.anchor = options.anchor
    rectangle.countsFromBottom = options.origin == .bottomLeft
    rectangle.isShare = options.units == .normalized
    return RawAnnotations.Box(label: raw.label(label), rectangle: rectangle)
  }
}
