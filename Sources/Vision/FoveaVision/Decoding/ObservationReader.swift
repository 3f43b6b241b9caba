// Fovea - from the arrays of a network to objects in an image.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

/// From the arrays of a network to objects in an image.
///
/// Boxes compete as fractions of the network's input, as in a Core ML suppression stage, and are then
/// brought to the upright full image. (The order does not matter: a map along the axes changes all
/// areas by one factor, and leaves their quotients as they are.)
struct ObservationReader {
  var settings: DetectionSettings
  var geometry: ImageGeometry
  var classLabels: [String]

  var decoder: ConfidenceCoordinatesDecoder {
    ConfidenceCoordinatesDecoder(classCount: classLabels.count, settings: settings)
  }

  /// The objects, best first.
  ///
  /// - Throws: `.invalidOutput` for scores or boxes that are no finite numbers.
  func observations(
    confidence: Span<Float>, coordinates: Span<Float>,
    memory: PostprocessingMemory = PostprocessingMemory()
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    var found = try decoder.observations(
      confidence: confidence, coordinates: coordinates, classLabels: classLabels, memory: memory)
    let map = geometry.normalizedMap(from: .model, to: .upright)
    guard map != .identity else { return found }
    for index in found.indices {
      found[index].boundingBox = map(found[index].boundingBox)
    }
    return found
  }
}
