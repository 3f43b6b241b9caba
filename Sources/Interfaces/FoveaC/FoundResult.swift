// Fovea - what a call found, in memory that C programs look into.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaGeometry
internal import FoveaShapes
internal import FoveaTracking
internal import FoveaVideo
internal import FoveaVision

/// What a call found, in memory that C programs look into.
final class FoundResult: @unchecked Sendable {  // because it is filled before it is shared
  private(set) var objects = LentArray<fovea_object>()
  /// The masks of the objects.
  private(set) var masks: [InstanceMask?] = []
  /// The classes of a classification.
  private(set) var labels = LentArray<fovea_label>()
  /// The outputs of a run.
  private(set) var arrays = LentArray<fovea_array>()
  /// What a detection looked at.
  private(set) var picture: UnsafeMutablePointer<fovea_picture_info>?
  /// The picture of a video, and the objects that keep their identifiers in it.
  private(set) var frame: UnsafeMutablePointer<fovea_frame>?
  private(set) var tracks = LentArray<fovea_track>()
  /// Holds the picture itself.
  private(set) var video: VideoResult?
  private let memory = LentMemory()
  /// Holds the names of the labels.
  private let description: LentModelInfo

  private init(_ description: LentModelInfo) { self.description = description }

  /// Structures that lie one behind the other.
  struct LentArray<Element: BitwiseCopyable> {
    fileprivate(set) var start: UnsafeMutablePointer<Element>?
    fileprivate(set) var count = 0

    /// The place of an element; `nil` beyond the count.
    subscript(index: Int) -> UnsafePointer<Element>? {
      guard (0..<count).contains(index) else { return nil }
      return start.map { UnsafePointer($0 + index) }
    }
  }

  // MARK: Detections and classifications

  /// The objects of a detection.
  convenience init(_ result: DetectObjectsResult, _ description: LentModelInfo) {
    self.init(description)
    objects = lent(result.observations, in: result.imageSize)
    picture = memory.array([
      fovea_picture_info(result.geometry, of: result.imageSize, result.timings)
    ])
  }

  private func lent(
    _ observations: [RecognizedObjectObservation], in size: ImageSize
  ) -> LentArray<fovea_object> {
    masks = observations.map(\.mask)
    let start = memory.zeros(fovea_object.self, count: observations.count)
    for (index, observation) in observations.enumerated() {
      start[index] = object(observation, in: size)
    }
    return LentArray(start: start, count: observations.count)
  }

  /// The classes of a classification.
  convenience init(_ classes: [ClassificationObservation], _ description: LentModelInfo) {
    self.init(description)
    labels = lent(classes)
  }

  private func object(
    _ observation: RecognizedObjectObservation, in size: ImageSize
  ) -> fovea_object {
    var object = fovea_object()
    object.size = MemoryLayout<fovea_object>.size
    let classIndex = observation.bestLabel?.classIndex ?? 0
    object.label = name(ofClass: classIndex)
    object.class_index = Int32(clamping: classIndex)
    object.confidence = observation.topConfidence
    let (pixels, box) = places(observation.boundingBox, in: size)
    (object.x, object.y, object.width, object.height) = pixels
    object.bounding_box = box
    object.total_confidence = observation.confidence
    let labels = lent(observation.labels)
    (object.labels, object.label_count) = (UnsafePointer(labels.start), labels.count)
    object.mask = observation.mask.map { UnsafePointer(memory.array([mask($0)])) }
    object.keypoint_count = observation.keypoints.count
    object.keypoints =
      observation.keypoints.isEmpty
      ? nil : UnsafePointer(memory.array(observation.keypoints.map { keypoint($0, in: size) }))
    object.corners = observation.corners.map { corners in
      let numbers = corners.corners.flatMap { corner in
        let place = corner.toImageCoordinates(size, origin: .upperLeft)
        return [place.x, place.y]
      }
      return UnsafePointer(memory.array(numbers))
    }
    object.rotation = observation.rotation ?? .nan
    return object
  }

  private func mask(_ mask: InstanceMask) -> fovea_mask {
    fovea_mask(
      size: MemoryLayout<fovea_mask>.size, x: Int64(mask.columns.lowerBound),
      y: Int64(mask.rows.lowerBound), width: Int64(mask.columns.count),
      height: Int64(mask.rows.count), area: Int64(mask.area),
      counts: memory.text(mask.runLengths.text))
  }

  private func keypoint(_ point: RecognizedPoint, in size: ImageSize) -> fovea_keypoint {
    let place = point.location.toImageCoordinates(size, origin: .upperLeft)
    return fovea_keypoint(
      size: MemoryLayout<fovea_keypoint>.size, name: memory.text(point.name), x: place.x,
      y: place.y, confidence: point.confidence, reserved: 0)
  }

  private func lent(_ classes: [ClassificationObservation]) -> LentArray<fovea_label> {
    let start = memory.array(
      classes.map { found in
        fovea_label(
          size: MemoryLayout<fovea_label>.size, name: name(ofClass: found.classIndex),
          class_index: Int32(clamping: found.classIndex), confidence: found.confidence)
      })
    return LentArray(start: start, count: classes.count)
  }

  private typealias Place = (Double, Double, Double, Double)

  /// A box in pixels from the upper left, and in fractions from the lower left.
  private func places(_ box: NormalizedRect, in size: ImageSize) -> (pixels: Place, box: Place) {
    let pixels = box.toImageCoordinates(size, origin: .upperLeft)
    return (
      (pixels.x, pixels.y, pixels.width, pixels.height), (box.x, box.y, box.width, box.height)
    )
  }

  private func name(ofClass index: Int) -> UnsafePointer<CChar>? {
    description.labels.indices.contains(index) ? description.labels[index] : nil
  }

  // MARK: Videos

  /// The objects of a picture of a video, and those that `tracking` follows.
  convenience init(
    _ result: VideoResult, _ tracking: VideoTracking?, _ description: LentModelInfo
  ) {
    self.init(description)
    video = result
    objects = lent(result.observations, in: result.imageSize)
    picture = memory.array([
      fovea_picture_info(result.geometry, of: result.imageSize, result.timings)
    ])
    frame = memory.array([fovea_frame(result)])
    guard let tracking else { return }
    let found = zip(tracking.tracks, tracking.objects).map {
      track($0, seenAs: $1.detection, in: result.imageSize)
    }
    tracks = LentArray(start: memory.array(found), count: found.count)
  }

  private func track(_ track: VideoTrack, seenAs object: Int?, in size: ImageSize) -> fovea_track {
    let (pixels, box) = places(track.boundingBox, in: size)
    return fovea_track(
      size: MemoryLayout<fovea_track>.size, identifier: Int64(track.identifier),
      label: memory.text(track.label), confidence: track.confidence,
      object: Int32(clamping: object ?? -1), x: pixels.0, y: pixels.1, width: pixels.2,
      height: pixels.3, bounding_box: box)
  }

  // MARK: Runs

  /// The outputs of a run.
  convenience init(
    _ outputs: borrowing RunOutputs, _ description: LentModelInfo
  ) throws(CallFailure) {
    self.init(description)
    var found: [fovea_array] = []
    for name in description.computedOutputs {
      try outputs.withOutput(name) { shape, floats throws(CallFailure) in
        found.append(array(name, shape, floats))
      }
    }
    arrays = LentArray(start: memory.array(found), count: found.count)
  }

  /// A map of a picture.
  convenience init(map floats: [Float], _ shape: [Int], _ description: LentModelInfo) {
    self.init(description)
    arrays = LentArray(start: memory.array([array("map", shape, floats.span)]), count: 1)
  }

  private func array(_ name: String, _ shape: [Int], _ floats: Span<Float>) -> fovea_array {
    let data = memory.zeros(Float.self, count: floats.count)
    floats.withUnsafeBufferPointer { floats in
      if let base = floats.baseAddress { data.update(from: base, count: floats.count) }
    }
    var array = fovea_array()
    array.size = MemoryLayout<fovea_array>.size
    array.name = memory.text(name)
    array.type = Int32(bitPattern: fovea_type_float32.rawValue)
    array.rank = Int32(clamping: shape.count)
    array.shape = UnsafePointer(memory.array(shape.map { Int64($0) }))
    array.data = UnsafeMutableRawPointer(data)
    array.byte_count = floats.count * MemoryLayout<Float>.size
    return array
  }
}

extension fovea_picture_info {
  /// How an upright picture of a size lay in the input.
  fileprivate init(
    _ geometry: ImageGeometry, of imageSize: ImageSize, _ timings: DetectionTimings
  ) {
    self.init()
    size = MemoryLayout<Self>.size
    (width, height) = (Int64(imageSize.width), Int64(imageSize.height))
    (input_width, input_height) =
      (Int64(geometry.modelSize.width), Int64(geometry.modelSize.height))
    orientation = Int32(geometry.orientation.rawValue)
    // Of a woven picture one field is seen, which has half the rows.
    let across = Double(imageSize.width) / Double(geometry.uprightSize.width)
    let down = Double(imageSize.height) / Double(geometry.uprightSize.height)
    let (crop, border) = (geometry.cropRect, geometry.padding)
    seen = (crop.x * across, crop.y * down, crop.width * across, crop.height * down)
    padding = (border.top, border.left, border.bottom, border.right)
    let map = geometry.map(from: .model, to: .upright)
    input_to_picture = (
      map.a * across, map.b * across, map.c * down, map.d * down, map.tx * across, map.ty * down
    )
    (decode_ms, prepare_ms) = (timings.decode.milliseconds, timings.prepare.milliseconds)
    (inference_ms, postprocess_ms) =
      (timings.inference.milliseconds, timings.postprocess.milliseconds)
  }
}

extension Duration {
  fileprivate var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15
  }
}
