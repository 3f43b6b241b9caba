// Fovea - what was found in one image of a large job: a line of JSON.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
internal import FoveaCommandLine
internal import FoveaJSON

/// What was found in one image of a large job: a line of JSON with the names that the Python package
/// gives its columns. All lines have all keys, in this order:
///
///     {"path":"a.jpg","width":768,"height":576,"objects":[{"label":"dog","score":0.9,
///      "xmin":130.2,"ymin":220.5,"xmax":310.8,"ymax":540.1}],"error":null}
///
/// Objects of networks that say more have the keys of `ObjectShapeDocument` behind these.
package enum DetectionRow {
  private static let beginning = Array("{\"path\":\"".utf8)

  /// The line of an image whose boxes are pixels of the upright image, from its upper left.
  package static func text(_ result: DetectObjectsResult, path: String) -> String {
    let size = result.imageSize
    return "{\"path\":\(JSONText.quoted(path)),\"width\":\(size.width),\"height\":\(size.height),"
      + "\"objects\":\(objects(result.observations, in: size)),\"error\":null}\n"
  }

  /// A list of objects with boxes in pixels of an image of `size`, from its upper left.
  package static func objects(_ observations: [RecognizedObjectObservation], in size: ImageSize)
    -> String
  {
    let objects = observations.map { object in
      let label = object.bestLabel?.identifier ?? ""
      return "{" + members(label, Double(object.topConfidence), object.boundingBox, in: size)
        + ObjectShapeDocument.members(object, in: size) + "}"
    }
    return "[\(objects.joined(separator: ","))]"
  }

  /// Label, score and box of an object, the box in pixels of an image of `size`.
  package static func members(
    _ label: String, _ score: Double, _ box: NormalizedRect, in size: ImageSize
  ) -> String {
    let box = box.toImageCoordinates(size, origin: .upperLeft)
    let sides = [
      ("xmin", box.x), ("ymin", box.y), ("xmax", box.x + box.width), ("ymax", box.y + box.height),
    ].map { name, value in
      ",\"\(name)\":" + JSONText.number(NumberText.rounded(value, digits: 3))
    }
    let score = JSONText.number(NumberText.rounded(score, digits: 6))
    return "\"label\":\(JSONText.quoted(label)),\"score\":\(score)\(sides.joined())"
  }

  /// The line of an image that could not be looked at.
  package static func text(error message: String, path: String) -> String {
    "{\"path\":\(JSONText.quoted(path)),\"width\":null,\"height\":null,\"objects\":[],"
      + "\"error\":\(JSONText.quoted(message))}\n"
  }

  /// The path in a line; `nil` for what is no such line.
  package static func path(in line: ArraySlice<UInt8>) -> String? {
    guard line.starts(with: beginning) else { return nil }
    return line.withUnsafeBytes { bytes in
      var path: String?
      var parser = JSONPullParser(bytes)
      do throws(JSONError) {
        try parser.readObject { parser, key throws(JSONError) in
          switch key {
          case "path": path = try parser.readText()
          default: try parser.skipValue()
          }
        }
        try parser.finish()
      } catch {
        return nil
      }
      return path
    }
  }

  /// Whether bytes without a line's end can be what is left of a line that was being written.
  package static func isTornLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: beginning) || beginning.starts(with: bytes)
  }
}
