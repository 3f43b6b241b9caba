// Fovea - CVAT's annotations of images.
// SPDX-License-Identifier: Apache-2.0

/// Reads CVAT's annotations of images, version 1.1.
struct CVATReader: XMLHandler {
  private var raw = RawAnnotations()

  /// Reads the bytes of a file.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`.
  static func read(
    _ bytes: UnsafeRawBufferPointer, file: String
  ) throws(AnnotationError) -> RawAnnotations {
    try XMLDocument.read(bytes, file: file, CVATReader()).raw
  }

  mutating func begin(
    _ path: [String], _ attributes: [String: String]
  ) throws(XMLProblem) {
    if path == ["annotations", "track"] {
      throw XMLProblem(
        cause: "holds tracks in a video", remedy: "export it as 'CVAT for images 1.1'")
    }
    guard path.count >= 2, path[0] == "annotations", path[1] == "image" else { return }
    if path.count == 2 {
      guard let name = attributes["name"] else { throw XMLProblem(cause: "an image without name") }
      var picture = RawAnnotations.Picture(name: name)
      if attributes["width"] != nil { picture.width = try number(attributes, "width") }
      if attributes["height"] != nil { picture.height = try number(attributes, "height") }
      raw.pictures.append(picture)
    } else if path.count == 3 {
      try add(path[2], attributes)
    }
  }

  func end(_ path: [String], text: String) {}

  private mutating func add(_ shape: String, _ attributes: [String: String]) throws(XMLProblem) {
    guard let rectangle = try rectangle(shape, attributes) else { return }
    guard let label = attributes["label"] else {
      throw XMLProblem(cause: "a \(shape) without label")
    }
    raw.pictures[raw.pictures.count - 1].boxes.append(
      .init(label: raw.label(label), rectangle: rectangle))
  }

  /// `nil` for what is no shape, such as a tag of the whole picture.
  private func rectangle(
    _ shape: String, _ attributes: [String: String]
  ) throws(XMLProblem) -> RawRectangle? {
    switch shape {
    case "box":
      let (left, top) = (try number(attributes, "xtl"), try number(attributes, "ytl"))
      let (right, bottom) = (try number(attributes, "xbr"), try number(attributes, "ybr"))
      let upright = RawRectangle(left: left, top: top, right: right, bottom: bottom)
      let rotation = attributes["rotation"] == nil ? 0 : try number(attributes, "rotation")
      guard rotation != 0 else { return upright }
      let middle = ((left + right) / 2, (top + bottom) / 2)
      let corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
      return RawRectangle(
        around: corners.map { Turning.turned($0, degrees: rotation, about: middle) })
    case "ellipse":
      let (x, y) = (try number(attributes, "cx"), try number(attributes, "cy"))
      let (rx, ry) = (try number(attributes, "rx"), try number(attributes, "ry"))
      return RawRectangle(left: x - rx, top: y - ry, right: x + rx, bottom: y + ry)
    case "mask":
      return RawRectangle(
        x: try number(attributes, "left"), y: try number(attributes, "top"),
        width: try number(attributes, "width"), height: try number(attributes, "height"))
    case "polygon", "polyline", "points":
      let points = try points(attributes["points"] ?? "")
      guard let rectangle = RawRectangle(around: points) else {
        throw XMLProblem(cause: "a \(shape) without points")
      }
      return rectangle
    default: return nil
    }
  }

  /// The points of "x,y;x,y".
  private func points(_ text: String) throws(XMLProblem) -> [(x: Double, y: Double)] {
    var points: [(x: Double, y: Double)] = []
    for pair in text.split(separator: ";") {
      let numbers = pair.split(separator: ",").compactMap { Double($0.withoutOuterSpaces) }
      guard numbers.count == 2 else {
        throw XMLProblem(cause: "a point is '\(pair)'; expected x,y")
      }
      points.append((numbers[0], numbers[1]))
    }
    return points
  }

  private func number(
    _ attributes: [String: String], _ name: String
  ) throws(XMLProblem) -> Double {
    guard let text = attributes[name] else { throw XMLProblem(cause: "\(name) is missing") }
    return try XMLProblem.number(text, name)
  }
}
