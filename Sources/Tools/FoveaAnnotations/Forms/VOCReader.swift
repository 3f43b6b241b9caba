// Fovea - Pascal VOC's annotations of one picture.
// SPDX-License-Identifier: Apache-2.0

/// Reads Pascal VOC's annotations of one picture. Boxes of parts inside of objects are passed over.
struct VOCReader: XMLHandler {
  private var raw = RawAnnotations()
  private var picture = RawAnnotations.Picture(name: "")
  private var label: String?
  private var isDifficult = false
  private var edges: [String: Double] = [:]

  /// Reads the bytes of a file.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`.
  static func read(
    _ bytes: UnsafeRawBufferPointer, file: String
  ) throws(AnnotationError) -> RawAnnotations {
    var reader = try XMLDocument.read(bytes, file: file, VOCReader())
    reader.raw.pictures = [reader.picture]
    return reader.raw
  }

  mutating func begin(_ path: [String], _ attributes: [String: String]) {
    if path == ["annotation", "object"] { (label, isDifficult, edges) = (nil, false, [:]) }
  }

  mutating func end(_ path: [String], text: String) throws(XMLProblem) {
    guard path.first == "annotation" else { return }
    switch path.dropFirst() {
    case ["filename"]: picture.name = text.withoutOuterSpaces
    case ["size", "width"]: picture.width = try XMLProblem.number(text, "width")
    case ["size", "height"]: picture.height = try XMLProblem.number(text, "height")
    case ["object", "name"]: label = text
    case ["object", "difficult"]: isDifficult = text.withoutOuterSpaces == "1"
    case ["object", "bndbox", "xmin"], ["object", "bndbox", "ymin"],
      ["object", "bndbox", "xmax"], ["object", "bndbox", "ymax"]:
      edges[path[3]] = try XMLProblem.number(text, path[3])
    case ["object"]: try addObject()
    default: break
    }
  }

  private mutating func addObject() throws(XMLProblem) {
    guard let label else { throw XMLProblem(cause: "an object without name") }
    guard let left = edges["xmin"], let top = edges["ymin"], let right = edges["xmax"],
      let bottom = edges["ymax"]
    else {
      throw XMLProblem(cause: "object '\(label)' without xmin, ymin, xmax and ymax in bndbox")
    }
    let rectangle = RawRectangle(left: left, top: top, right: right, bottom: bottom)
    picture.boxes.append(
      .init(label: raw.label(label), rectangle: rectangle, isIgnored: isDifficult))
  }
}

extension StringProtocol {
  /// The text without spaces and line ends around it.
  var withoutOuterSpaces: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The number that the text is, with spaces around it; `nil` for others and infinite ones.
  var finiteNumber: Double? {
    guard let number = Double(withoutOuterSpaces), number.isFinite else { return nil }
    return number
  }
}
