// Fovea - from the arrays of a network to objects in an image.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
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
  var parts: ObjectPartsLayout

  var decoder: ConfidenceCoordinatesDecoder {
    ConfidenceCoordinatesDecoder(classCount: classLabels.count, settings: settings)
  }

  /// The objects, best first.
  ///
  /// - Throws: `.invalidOutput` for scores or boxes that are no finite numbers.
  func observations(
    confidence: Span<Float>, coordinates: Span<Float>, _ numbers: some ObjectNumbers,
    memory: PostprocessingMemory = PostprocessingMemory()
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    var found = try competing(confidence, coordinates, numbers, memory)
    let map = geometry.normalizedMap(from: .model, to: .upright)
    if map != .identity {
      for index in found.indices { found[index].boundingBox = map(found[index].boundingBox) }
    }
    if !parts.outputs.isEmpty {
      try ObjectPartsReader(layout: parts, geometry: geometry)
        .add(to: &found, rows: memory.rows, numbers)
    }
    return found
  }

  private func competing(
    _ confidence: Span<Float>, _ coordinates: Span<Float>, _ numbers: some ObjectNumbers,
    _ memory: PostprocessingMemory
  ) throws(DetectionError) -> [RecognizedObjectObservation] {
    guard parts.hasTurnedBoxes else {
      return try decoder.observations(
        confidence: confidence, coordinates: coordinates, classLabels: classLabels, memory: memory)
    }
    return try numbers.withNumbers(.turnedBoxes) { turned throws(DetectionError) in
      try decoder.observations(
        confidence: confidence, coordinates: coordinates, turned: turned,
        classLabels: classLabels, memory: memory)
    }
  }
}
