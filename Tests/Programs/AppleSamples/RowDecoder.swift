// Fovea - a program as people write it: the rows of a network, decoded by hand.
// SPDX-License-Identifier: Apache-2.0
import CoreML
import Vision

public struct Row {
  public let classIndex: Int
  public let score: Float
  public let rect: CGRect
}

/// The rows of a network without suppression whose best class has a score.
public func decodeRows(modelURL: URL, imageURL: URL, threshold: Float) throws -> [Row] {
  let model = try VNCoreMLModel(for: MLModel(contentsOf: modelURL))
  let request = VNCoreMLRequest(model: model)
  request.imageCropAndScaleOption = .scaleFill
  try VNImageRequestHandler(url: imageURL, options: [:]).perform([request])
  guard let observations = request.results as? [VNCoreMLFeatureValueObservation] else { return [] }
  var features: [String: MLMultiArray] = [:]
  for observation in observations {
    features[observation.featureName] = observation.featureValue.multiArrayValue
  }
  let scores = features["confidence"]!
  let boxes = features["coordinates"]!
  assert(scores.shape[0] == boxes.shape[0])
  let rows = scores.shape[0].intValue
  let classes = scores.shape[1].intValue
  let rowStride = scores.strides[0].intValue
  let classStride = scores.strides[1].intValue
  var found: [Row] = []
  for row in 0..<rows {
    var best = (index: 0, score: -Float.infinity)
    for index in 0..<classes {
      let place = row * rowStride + index * classStride
      let score: Float
      if scores.dataType == .double {
        score = Float(scores.dataPointer.assumingMemoryBound(to: Double.self)[place])
      } else {
        score = scores.dataPointer.assumingMemoryBound(to: Float.self)[place]
      }
      if score > best.score { best = (index, score) }
    }
    guard best.score >= threshold else { continue }
    let side = (0..<4).map { boxes[[row as NSNumber, $0 as NSNumber]].doubleValue }
    found.append(
      Row(
        classIndex: best.index, score: best.score,
        rect: CGRect(
          x: side[0] - side[2] / 2, y: side[1] - side[3] / 2, width: side[2], height: side[3])))
  }
  return found.sorted { $0.score > $1.score }
}
