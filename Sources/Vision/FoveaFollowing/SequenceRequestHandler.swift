// Fovea - the pictures of one sequence, for requests that follow objects.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry
internal import FoveaImaging
internal import FoveaLibc
public import FoveaRuntime
public import FoveaVision

/// The pictures of one sequence, such as a video or what a camera sees, for requests that follow
/// objects.
///
/// It follows at most `TrackingLevel.supportedTrackerCount` objects of each level at a time. A place
/// is free again after the picture that `isLastFrame` marks, or when the request is gone.
///
/// Calls from several tasks wait for one another. If a call throws, no object has moved on.
public final class SequenceRequestHandler: Sendable {
  private let places = TrackerPlaces()
  /// Held for one picture at a time: memory for samples of more than 8 bits.
  private let turn = Locked([UInt8]())

  /// A handler for a sequence of pictures.
  public init() {}

  // MARK: Pictures

  /// Where the objects of several requests are in the next picture, in the order of the requests.
  ///
  /// A detector that runs beside makes boxes better and finds lost objects again. Give its
  /// detections of this picture, whenever there are some. An object takes the detection of its class
  /// that overlaps it most, by an intersection over union above 0.5. One that is not seen takes the
  /// one that looks like it, if any does. No two objects take the same detection.
  ///
  /// - Parameters:
  ///   - requests: The objects. They may change from picture to picture.
  ///   - image: An `ImageFile`, an `Image` or a `PixelBuffer`. A picture of another size than the
  ///     one before shows the same view at another resolution.
  ///   - orientation: How to turn the stored picture; `nil` for what it says itself.
  ///   - time: The time of the picture in seconds, from any beginning. It helps to predict motion
  ///     where pictures are missing. `nil`: pictures come at a steady rate.
  ///   - detections: What a detector has found in the same picture.
  /// - Throws: `FollowingError`: `.image` and `.invalidPicture` for the picture; `.invalidBox` and
  ///   `.tooManyObjects` for requests that begin; `.finished`, `.otherSequence`, `.repeatedRequest`;
  ///   `.outOfMemory`.
  /// - Complexity: The same for pictures of all sizes once they are decoded; see `TrackingLevel`.
  public func perform(
    _ requests: [TrackObjectRequest], on image: some ImageConvertible,
    orientation: ImageOrientation? = nil, time: Double? = nil,
    detections: [RecognizedObjectObservation] = []
  ) throws(FollowingError) -> [TrackedObjectObservation] {
    let source = image.imageSource
    let orientation = orientation ?? source.orientation
    let pixels = try decoded(source)
    return try perform(
      requests, onPixels: pixels.bytes.span.bytes, layout: pixels.layout,
      orientation: orientation, time: time, detections: detections)
  }

  /// Where the object of one request is in the next picture; see
  /// `perform(_:on:orientation:time:detections:)` for several.
  public func perform(
    _ request: TrackObjectRequest, on image: some ImageConvertible,
    orientation: ImageOrientation? = nil, time: Double? = nil,
    detections: [RecognizedObjectObservation] = []
  ) throws(FollowingError) -> TrackedObjectObservation {
    try perform(
      [request], on: image, orientation: orientation, time: time, detections: detections)[0]
  }

  // MARK: Frames

  /// Where the objects of several requests are in pixels that somebody else holds, such as a frame
  /// of a camera. They are read where they lie and not copied. Alpha is ignored.
  ///
  ///     let layout = PixelLayout(format: .nv12, width: 1280, height: 720, rowBytes: 1280)
  ///     let objects = try handler.perform(requests, onPixels: frame.bytes, layout: layout)
  ///
  /// - Parameters:
  ///   - requests: The objects. They may change from picture to picture.
  ///   - pixels: The bytes that `layout` describes.
  ///   - layout: Format, size and distance of rows.
  ///   - orientation: How to turn the picture.
  ///   - time: The time of the picture in seconds, from any beginning; `nil` at a steady rate.
  ///   - detections: What a detector has found in the same picture.
  /// - Throws: As `perform(_:on:orientation:time:detections:)`; `.invalidPicture` for fewer bytes
  ///   than the layout says.
  public func perform(
    _ requests: [TrackObjectRequest], onPixels pixels: RawSpan, layout: PixelLayout,
    orientation: ImageOrientation = .up, time: Double? = nil,
    detections: [RecognizedObjectObservation] = []
  ) throws(FollowingError) -> [TrackedObjectObservation] {
    let size = ImageSize(width: layout.width, height: layout.height)
    let frame = SequenceFrame(size, orientation, time: time, detections)
    return try turn.withLock { _ throws(FollowingError) in
      try FollowedImage.withPixels(pixels, layout) { picture throws(FollowingError) in
        try follow(requests, in: picture, frame)
      }
    }
  }

  /// Where the objects of several requests are in a picture as decoders of videos leave it. Its
  /// samples are read where they lie; only words of 9 to 15 bits are narrowed first.
  ///
  /// - Throws: As `perform(_:onPixels:layout:orientation:time:detections:)`.
  package func perform(
    _ requests: [TrackObjectRequest], onPlanes planes: PixelPlanes,
    orientation: ImageOrientation = .up, time: Double? = nil,
    detections: [RecognizedObjectObservation] = []
  ) throws(FollowingError) -> [TrackedObjectObservation] {
    let frame = SequenceFrame(planes.size, orientation, time: time, detections)
    return try turn.withLock { memory throws(FollowingError) in
      try FollowedImage.withPlanes(planes, narrowedIn: &memory) {
        picture throws(FollowingError) in
        try follow(requests, in: picture, frame)
      }
    }
  }

  private func decoded(_ source: ImageSource) throws(FollowingError) -> DecodedPixels {
    do throws(ImageError) {
      return try source.pixels(.none)
    } catch {
      throw .image(error)
    }
  }

  // MARK: Following

  /// Begins new objects, moves the others on, and corrects these by detections. What can fail comes
  /// first, before anything has changed.
  private func follow(
    _ requests: [TrackObjectRequest], in picture: FollowedImage, _ frame: SequenceFrame
  ) throws(FollowingError) -> [TrackedObjectObservation] {
    guard Set(requests.map { ObjectIdentifier($0) }).count == requests.count else {
      throw .repeatedRequest
    }
    var known: [Tracker?] = []
    for request in requests { known.append(try request.tracker(for: places)) }
    var trackers: [Tracker] = []
    for (request, tracker) in zip(requests, known) {
      if let tracker {
        trackers.append(tracker)
        continue
      }
      trackers.append(
        try Tracker(
          request.trackingLevel, places, in: picture, box: frame.stored(request.boundingBox),
          time: frame.time))
    }
    for tracker in known { _ = try tracker?.step(in: picture, time: frame.time) }
    let anchors = try frame.anchor(zip(requests, known).map { ($0, $1) }, in: picture)
    for (request, tracker) in zip(requests, trackers) { request.keep(tracker) }
    return requests.indices.map { index in
      frame.observation(
        of: requests[index], known[index]?.object, detection: anchors[index])
    }
  }
}
