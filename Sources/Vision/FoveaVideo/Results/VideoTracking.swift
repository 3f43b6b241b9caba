// Fovea - a tracker of what a detector finds in the pictures of a source.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaTracking
package import FoveaVision

/// A tracker of what a detector finds in the pictures of a source.
///
/// Boxes are tracked in pixels of the first picture. A picture of another size shows the same view
/// at another resolution. The time is that of the picture, so that dropped pictures make one longer
/// step and not a slower object.
package struct VideoTracking: Sendable {
  /// The objects of the last picture, by their identifiers.
  package private(set) var objects: [TrackedObject] = []
  /// The names of the labels that have been met, by their numbers.
  package private(set) var labels: [String] = []
  /// The size of the first upright picture, in whose pixels the boxes are.
  package private(set) var size: ImageSize?

  private var tracker: ObjectTracker
  private var numbers: [String: Int] = [:]
  private var detections: [TrackingDetection] = []
  private var observations: [RecognizedObjectObservation] = []
  /// What tells how the camera moves; `nil` for one that stands.
  private var camera: FrameMotion?

  /// Creates a tracker without objects.
  ///
  /// - Parameter cameraMoves: Whether the motion of the camera is taken out of that of objects.
  package init(options: TrackingOptions = TrackingOptions(), cameraMoves: Bool = false) {
    tracker = ObjectTracker(options: options)
    camera = cameraMoves ? FrameMotion() : nil
  }

  /// Takes in what was found in a picture.
  package mutating func update(_ result: VideoResult) {
    let unit = size ?? result.imageSize
    let motion = camera?.motion(of: result, unit: unit, off: objects.map(\.box))
    update(result.observations, size: result.imageSize, seconds: result.time, motion: motion)
  }

  /// Takes in what was found in an upright picture of `size` at a time in seconds.
  ///
  /// - Parameter motion: How the picture has moved, in pixels of the first one.
  package mutating func update(
    _ found: [RecognizedObjectObservation], size pictureSize: ImageSize, seconds: Double,
    motion: AffineMap? = nil
  ) {
    let unit = size ?? pictureSize
    size = unit
    observations = found
    detections.removeAll(keepingCapacity: true)
    for observation in found {
      detections.append(
        TrackingDetection(
          box: TrackingBox(observation.boundingBox, in: unit),
          score: Double(observation.topConfidence),
          label: number(of: observation.bestLabel?.identifier ?? "")))
    }
    tracker.update(detections, seconds: seconds, motion: motion)
    objects = tracker.objects.sorted { $0.identifier < $1.identifier }
    for index in objects.indices {
      let feet = objects[index].detection.flatMap { observations[$0].feet }
      objects[index].feet = feet.map { feet in
        CountingPoint(
          x: feet.x * Double(unit.width), y: (1 - feet.y) * Double(unit.height))
      }
    }
  }

  /// The objects as users see them.
  package var tracks: [VideoTrack] {
    guard let size else { return [] }
    return objects.map { object in
      let box = ImageRect(
        x: object.box.left, y: object.box.top, width: object.box.width, height: object.box.height,
        origin: .upperLeft)
      return VideoTrack(
        identifier: object.identifier, label: labels[object.label],
        confidence: Float(object.score), boundingBox: NormalizedRect(imageRect: box, in: size),
        observation: object.detection.map { observations[$0] })
    }
  }

  private mutating func number(of label: String) -> Int {
    if let number = numbers[label] { return number }
    numbers[label] = labels.count
    labels.append(label)
    return labels.count - 1
  }
}
