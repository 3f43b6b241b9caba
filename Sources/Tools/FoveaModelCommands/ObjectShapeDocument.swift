// Fovea - masks, key points and corners in JSON.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
internal import FoveaCommandLine

/// How masks are written.
package enum MaskForm: String, CaseIterable {
  /// COCO's run lengths: `{"size": [rows, columns], "counts": text}`.
  case rle
  /// Outer outlines: `[[x, y, x, y, ...], ...]`.
  case polygon
}

/// What an object has beside its box, in pixels of the upright image from its top left. Keys are
/// absent where the network does not say it.
package struct ObjectShapeDocument: Encodable {
  /// The mask, in one of the forms of `MaskForm`.
  private var segmentation: Segmentation?
  /// x, y and confidence of each point.
  private var keypoints: [Double]?
  /// The corners of a turned box, clockwise.
  private var corners: [[Double]]?
  /// Radians, clockwise.
  private var rotation: Double?

  private enum Segmentation: Encodable {
    case runs(MaskRunLengths)
    case rings([[Double]])

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .runs(let runs): try runs.encode(to: encoder)
      case .rings(let rings): try rings.encode(to: encoder)
      }
    }
  }

  /// What a network says of an object, in an image of `size`.
  package init(_ object: RecognizedObjectObservation, in size: ImageSize, masks: MaskForm) {
    func pixels(_ point: NormalizedPoint) -> [Double] {
      let point = point.toImageCoordinates(size, origin: .upperLeft)
      return [NumberText.rounded(point.x, digits: 3), NumberText.rounded(point.y, digits: 3)]
    }
    segmentation = object.mask.map { mask in
      switch masks {
      case .rle: .runs(mask.runLengths)
      case .polygon: .rings(mask.polygons.map { ring in ring.flatMap { [$0.x, $0.y] } })
      }
    }
    if !object.keypoints.isEmpty {
      keypoints = object.keypoints.flatMap { point in
        pixels(point.location) + [NumberText.rounded(Double(point.confidence), digits: 5)]
      }
    }
    corners = object.corners.map { corners in
      [corners.topLeft, corners.topRight, corners.bottomRight, corners.bottomLeft].map(pixels)
    }
    rotation = object.rotation.map { NumberText.rounded($0, digits: 6) }
  }

  /// The members that a line of JSON has behind the box of an object, each with a comma before it.
  package static func members(_ object: RecognizedObjectObservation, in size: ImageSize) -> String {
    guard object.mask != nil || !object.keypoints.isEmpty || object.corners != nil,
      let line = try? JSONOutput.line(ObjectShapeDocument(object, in: size, masks: .rle))
    else { return "" }
    return "," + line.dropFirst().dropLast()
  }
}
