// Fovea - one picture of a sequence: how its boxes lie, when it was, and what was detected in it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaVision

/// One picture of a sequence: how its boxes lie, when it was, and what was detected in it.
struct SequenceFrame {
  /// In seconds; `nil` if unknown.
  let time: Double?
  private let size: ImageSize
  private let orientation: ImageOrientation
  private let detections: [RecognizedObjectObservation]

  init(
    _ size: ImageSize, _ orientation: ImageOrientation, time: Double?,
    _ detections: [RecognizedObjectObservation]
  ) {
    self.size = size
    self.orientation = orientation
    self.time = time
    self.detections = detections
  }

  // MARK: Boxes

  /// A box of the upright picture in pixels of the stored one.
  func stored(_ box: NormalizedRect) -> ImageRect {
    let upright = box.verticallyFlipped()
    let a = orientation.stored(x: upright.minX, y: upright.minY)
    let b = orientation.stored(x: upright.maxX, y: upright.maxY)
    let (width, height) = (Double(size.width), Double(size.height))
    return ImageRect(
      x: min(a.u, b.u) * width, y: min(a.v, b.v) * height, width: abs(a.u - b.u) * width,
      height: abs(a.v - b.v) * height, origin: .upperLeft)
  }

  /// The inverse of `stored`.
  private func upright(_ box: ImageRect) -> NormalizedRect {
    let (width, height) = (Double(size.width), Double(size.height))
    let a = orientation.upright(u: box.minX / width, v: box.minY / height)
    let b = orientation.upright(u: box.maxX / width, v: box.maxY / height)
    return NormalizedRect(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y)
    ).verticallyFlipped()
  }

  /// What is known of an object; `nil` for one that begins in this picture.
  func observation(
    of request: TrackObjectRequest, _ object: FollowedObject?,
    detection: RecognizedObjectObservation?
  ) -> TrackedObjectObservation {
    TrackedObjectObservation(
      boundingBox: object.map { upright($0.box) } ?? request.boundingBox,
      confidence: Float(object?.confidence ?? 1), state: object?.state ?? .following,
      label: request.label, detection: detection)
  }

  // MARK: Detections

  /// Corrects objects by the detections, each by at most one that no other takes. Objects without a
  /// tracker begin in this picture, and are left as they are.
  ///
  /// - Returns: The detection that each object took.
  func anchor(
    _ objects: [(request: TrackObjectRequest, tracker: Tracker?)], in picture: FollowedImage
  ) throws(FollowingError) -> [RecognizedObjectObservation?] {
    var taken: [RecognizedObjectObservation?] = Array(repeating: nil, count: objects.count)
    var free = Set(detections.indices)
    func take(_ index: Int, from offered: [Int]) throws(FollowingError) {
      guard !offered.isEmpty, let tracker = objects[index].tracker else { return }
      let boxes = offered.map { stored(detections[$0].boundingBox) }
      guard let chosen = try tracker.anchor(in: picture, to: boxes) else { return }
      taken[index] = detections[offered[chosen]]
      free.remove(offered[chosen])
    }
    for pair in overlaps(objects) where taken[pair.object] == nil && free.contains(pair.detection) {
      try take(pair.object, from: [pair.detection])
    }
    // What is not seen is known by its looks, among those that are left.
    for (index, object) in objects.enumerated() {
      guard let state = object.tracker?.object?.state, state != .following, taken[index] == nil
      else { continue }
      try take(index, from: free.sorted().filter { suits(detections[$0], object.request) })
    }
    return taken
  }

  /// Seen objects and detections of their class that overlap by more than 0.5, the greatest overlap
  /// first.
  private func overlaps(
    _ objects: [(request: TrackObjectRequest, tracker: Tracker?)]
  ) -> [(object: Int, detection: Int)] {
    var pairs: [(object: Int, detection: Int, overlap: Double)] = []
    for (index, object) in objects.enumerated() {
      guard let found = object.tracker?.object, found.state == .following else { continue }
      let box = upright(found.box)
      for (place, detection) in detections.enumerated() where suits(detection, object.request) {
        let overlap = box.intersectionOverUnion(with: detection.boundingBox)
        if overlap > 0.5 { pairs.append((index, place, overlap)) }
      }
    }
    pairs.sort { ($1.overlap, $0.object, $0.detection) < ($0.overlap, $1.object, $1.detection) }
    return pairs.map { ($0.object, $0.detection) }
  }

  private func suits(
    _ detection: RecognizedObjectObservation, _ request: TrackObjectRequest
  ) -> Bool {
    request.label == nil || request.label == detection.bestLabel?.identifier
  }
}
