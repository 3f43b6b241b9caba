// Fovea - a program as people write it for Vision's newer interface: a model on the frames of a film.
// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Vision

struct Sighting {
  var time: Double
  var label: String
  var box: NormalizedRect
}

struct FilmAnalysis {
  let processor: VideoProcessor

  init(_ film: URL) { processor = VideoProcessor(film) }

  /// What a detector sees, with the time of each frame.
  func sightings(
    modelURL: URL, cadence: VideoProcessor.Cadence? = nil, in stretch: CMTimeRange? = nil
  ) async throws -> [Sighting] {
    let container = try CoreMLModelContainer(model: MLModel(contentsOf: modelURL))
    let results = try await processor.addRequest(CoreMLRequest(model: container), cadence: cadence)
    processor.startAnalysis(of: stretch)
    var found: [Sighting] = []
    for try await observations in results {
      for case let object as RecognizedObjectObservation in observations {
        guard let start = object.timeRange?.start else { continue }
        found.append(
          Sighting(
            time: start.seconds, label: object.labels[0].identifier, box: object.boundingBox))
      }
    }
    return found
  }

  /// The way of one object, and how many rectangles each frame has.
  func way(of box: NormalizedRect) async throws -> (boxes: [NormalizedRect], frames: Int) {
    let object = DetectedObjectObservation(boundingBox: box)
    let way = try await processor.addRequest(TrackObjectRequest(detectedObject: object))
    var rectangles = DetectRectanglesRequest()
    rectangles.maximumObservations = 0
    let counts = try await processor.addRequest(rectangles)
    processor.startAnalysis()
    async let frames = counts.reduce(into: 0) { count, _ in count += 1 }
    var boxes: [NormalizedRect] = []
    for try await observation in way {
      if let observation { boxes.append(observation.boundingBox) }
    }
    return (boxes, try await frames)
  }
}
