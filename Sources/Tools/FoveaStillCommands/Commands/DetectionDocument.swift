// Fovea - the JSON document of fovea detect.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands

/// The JSON document of `fovea detect`.
struct DetectionDocument: Encodable {
  /// The images that could be read.
  var images: [Image] = []
  /// Those that could not; absent when all could.
  var errors: [Failure]?
  /// What pixels become in a model that reads an array; absent for one that reads images.
  var picture: PictureReport?
  /// What the model's outputs hold beside boxes and is not reported; absent where that is nothing.
  var leftOut: String?

  /// An image that could not be read.
  struct Failure: Encodable {
    var image: String
    var message: String
  }

  /// What was found in one image.
  struct Image: Encodable {
    var image: String
    /// Of the upright image, in pixels.
    var width: Int
    var height: Int
    /// EXIF number, 1...8.
    var orientation: Int
    var model: String
    var backend: String
    var milliseconds: Milliseconds
    var geometry: Geometry
    var objects: [Object]
    /// With --explain: what is no object.
    var others: [Other]?
  }

  /// How the image lay in the network's input.
  struct Geometry: Encodable {
    /// Columns and rows of the network's input.
    var input: [Int]
    var cropAndScale: String
    /// x, y, width, height of what was seen, in pixels of the upright image, from its top left.
    var seen: [Double]
    /// Top, left, bottom and right, in pixels of the input.
    var padding: [Double]
    /// From pixels of the input to pixels of the upright image, both from the top left:
    /// x' = m[0] x + m[1] y + m[4], y' = m[2] x + m[3] y + m[5].
    var inputToImage: [Double]
  }

  /// A box that is no object.
  struct Other: Encodable {
    var label: String
    var labelIndex: Int
    var confidence: Double
    var boundingBox: [Double]
    var reason: String
  }

  /// Where the time went.
  struct Milliseconds: Encodable {
    var decode: Double
    var prepare: Double
    var inference: Double
    var postprocess: Double
  }

  /// One object.
  struct Object: Encodable {
    var label: String
    var labelIndex: Int
    /// The score of the label, 0...1.
    var confidence: Double
    /// x, y, width, height in pixels of the upright image, from its top left.
    var bbox: [Double]
    /// x, y, width, height in fractions of the upright image, from its lower left.
    var boundingBox: [Double]
    /// What the network says besides.
    var shape: ObjectShapeDocument

    private enum CodingKeys: String, CodingKey {
      case label, labelIndex, confidence, bbox, boundingBox
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(label, forKey: .label)
      try container.encode(labelIndex, forKey: .labelIndex)
      try container.encode(confidence, forKey: .confidence)
      try container.encode(bbox, forKey: .bbox)
      try container.encode(boundingBox, forKey: .boundingBox)
      try shape.encode(to: encoder)
    }
  }
}

extension DetectionDocument.Image {
  init(
    _ result: DetectObjectsResult, _ explanations: [CandidateExplanation]?, image: String,
    model: String, backend: Backend, masks: MaskForm
  ) {
    let timings = result.timings
    self.init(
      image: image, width: result.imageSize.width, height: result.imageSize.height,
      orientation: result.orientation.rawValue, model: model, backend: backend.rawValue,
      milliseconds: .init(
        decode: Self.milliseconds(timings.decode), prepare: Self.milliseconds(timings.prepare),
        inference: Self.milliseconds(timings.inference),
        postprocess: Self.milliseconds(timings.postprocess)),
      geometry: .init(result.geometry),
      objects: result.observations.map { .init($0, in: result.imageSize, masks: masks) },
      others: explanations?.compactMap { DetectionDocument.Other($0) })
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    NumberText.rounded(duration.milliseconds, digits: 3)
  }
}

extension DetectionDocument.Object {
  /// Pixels to a thousandth, fractions to a millionth: finer than any detector is.
  init(_ object: RecognizedObjectObservation, in size: ImageSize, masks: MaskForm) {
    let pixels = object.boundingBox.toImageCoordinates(size, origin: .upperLeft)
    let box = object.boundingBox
    self.init(
      label: object.bestLabel?.identifier ?? "", labelIndex: object.bestLabel?.classIndex ?? 0,
      confidence: NumberText.rounded(Double(object.topConfidence), digits: 6),
      bbox: [pixels.x, pixels.y, pixels.width, pixels.height].map {
        NumberText.rounded($0, digits: 3)
      },
      boundingBox: [box.x, box.y, box.width, box.height].map { NumberText.rounded($0, digits: 6) },
      shape: ObjectShapeDocument(object, in: size, masks: masks))
  }
}

extension DetectionDocument.Geometry {
  init(_ geometry: ImageGeometry) {
    let crop = geometry.cropRect, padding = geometry.padding
    let map = geometry.map(from: .model, to: .upright)
    self.init(
      input: [geometry.modelSize.width, geometry.modelSize.height],
      cropAndScale: geometry.cropAndScaleAction.rawValue,
      seen: [crop.x, crop.y, crop.width, crop.height],
      padding: [padding.top, padding.left, padding.bottom, padding.right],
      inputToImage: [map.a, map.b, map.c, map.d, map.tx, map.ty])
  }
}

extension DetectionDocument.Other {
  /// `nil` for an object.
  init?(_ candidate: CandidateExplanation) {
    if case .kept = candidate.outcome { return nil }
    let box = candidate.boundingBox
    self.init(
      label: candidate.identifier, labelIndex: candidate.classIndex,
      confidence: NumberText.rounded(Double(candidate.score), digits: 6),
      boundingBox: [box.x, box.y, box.width, box.height].map { NumberText.rounded($0, digits: 6) },
      reason: "\(candidate.outcome)")
  }
}
