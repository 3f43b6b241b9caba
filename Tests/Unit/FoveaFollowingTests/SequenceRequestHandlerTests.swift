// Fovea - tests of several objects in one sequence: places, errors, detections.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaFollowing
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite(.tags(.startsThreads)) struct SequenceRequestHandlerTests {
  let scene = RenderedScene()
  let pose = RenderedPose(x: 80, y: 60)

  func request(
    _ level: TrackingLevel = .fast, label: String? = nil, dx: Double = 0
  ) -> TrackObjectRequest {
    let moved = RenderedPose(x: pose.x + dx, y: pose.y)
    return TrackObjectRequest(
      boundingBox: scene.normalized(moved), label: label, trackingLevel: level)
  }

  // MARK: Places

  @Test func placesAreLimitedAndGivenBack() throws {
    let handler = SequenceRequestHandler()
    let image = try scene.image(pose)
    var requests = (0..<TrackingLevel.supportedTrackerCount).map { _ in request() }
    _ = try handler.perform(requests, on: image)
    let full = FollowingError.tooManyObjects(.fast, limit: 16)
    #expect(throws: full) { try handler.perform(request(), on: image) }
    // The other level, and another sequence, have places of their own.
    _ = try handler.perform(request(.accurate), on: image)
    _ = try SequenceRequestHandler().perform(request(), on: image)
    requests[3].isLastFrame = true
    #expect(try handler.perform(requests, on: image)[3].state == .following)
    #expect(throws: FollowingError.finished) { try handler.perform(requests[3], on: image) }
    requests[3] = request()
    _ = try handler.perform(requests, on: image)
    #expect(throws: full) { try handler.perform(request(), on: image) }
    // A request that is gone gives its place back, too.
    requests.removeLast()
    _ = try handler.perform(request(), on: image)
  }

  @Test func nothingMovesOnIfACallThrows() throws {
    let poses = (0..<6).map { RenderedPose(x: 60 + 3 * Double($0), y: 60) }
    let (handler, twin) = (SequenceRequestHandler(), SequenceRequestHandler())
    let box = scene.normalized(poses[0])
    let one = TrackObjectRequest(boundingBox: box), other = TrackObjectRequest(boundingBox: box)
    for pose in poses {
      let image = try scene.image(pose)
      let outside = TrackObjectRequest(
        boundingBox: NormalizedRect(x: 2, y: 0, width: 0.2, height: 0.2))
      #expect {
        try handler.perform([one, outside], on: image)
      } throws: { error in
        guard case .invalidBox(let box)? = error as? FollowingError else { return false }
        return box.x == 320 && abs(box.width - 32) < 1e-9
      }
      #expect(throws: FollowingError.repeatedRequest) {
        try handler.perform([one, one], on: image)
      }
      #expect(try handler.perform(one, on: image) == twin.perform(other, on: image))
    }
  }

  @Test func aRequestBelongsToOneSequence() throws {
    let request = request(), image = try scene.image(pose)
    _ = try SequenceRequestHandler().perform(request, on: image)
    #expect(throws: FollowingError.otherSequence) {
      try SequenceRequestHandler().perform(request, on: image)
    }
  }

  @Test(arguments: [
    NormalizedRect(x: .nan, y: 0, width: 0.2, height: 0.2),
    NormalizedRect(x: 0, y: 0, width: 0, height: 0.2),
    NormalizedRect(x: 0, y: 0, width: 0.2, height: -0.2),
    NormalizedRect(x: 0, y: .infinity, width: 0.2, height: 0.2),
    NormalizedRect(x: 1e300, y: 0, width: 1e300, height: 1e300),
  ]) func badBoxesAreRefused(_ box: NormalizedRect) throws {
    let image = try scene.image(pose)
    #expect {
      try SequenceRequestHandler().perform(TrackObjectRequest(boundingBox: box), on: image)
    } throws: { error in
      guard case .invalidBox? = error as? FollowingError else { return false }
      return "\(error)".contains("sides of 3 pixels or more")
    }
  }

  /// Layouts that no memory has, and numbers near the limits of integers.
  @Test(arguments: PixelFormat.allCases, [0, -1, 161, 70_000, Int.max, Int.min])
  func layoutsBeyondTheirMemoryAreRefused(_ format: PixelFormat, _ side: Int) throws {
    let frame = scene.frame(pose, format)
    for change in 0..<4 {
      var layout = frame.layout
      switch change {
      case 0: layout.width = side
      case 1: layout.height = side
      case 2: layout.rowBytes = side == 161 ? 159 : side == 70_000 ? Int.max - 1 : side
      default: layout.chromaOffset = side == 161 ? frame.bytes.count : side
      }
      // Where U and V begin counts for one format only.
      if change == 3, format != .nv12 || (0...70_000).contains(side) { continue }
      // One more column is there for formats of pairs, one more row for none.
      if change == 0, side == 161, layout.rowBytes >= Self.leastRowBytes(format, 161) { continue }
      #expect(throws: FollowingError.invalidPicture) {
        try SequenceRequestHandler().perform(
          [request()], onPixels: frame.bytes.span.bytes, layout: layout)
      }
    }
  }

  /// Planes, as decoders and pixel buffers have them, are followed as the same bytes by their layout.
  @Test(arguments: PixelFormat.allCases)
  func planesAreFollowedAsPixelsAre(_ format: PixelFormat) throws {
    let (handler, twin) = (SequenceRequestHandler(), SequenceRequestHandler())
    let (one, other) = (request(), request())
    for step in 0..<4 {
      let moved = RenderedPose(x: pose.x + 3 * Double(step), y: pose.y)
      let frame = scene.frame(moved, format)
      let expected = try handler.perform(
        [one], onPixels: frame.bytes.span.bytes, layout: frame.layout)
      let found = try frame.bytes.withUnsafeBufferPointer { bytes in
        let image = frame.layout.image(at: try #require(bytes.baseAddress), count: bytes.count)
        return try twin.perform([other], onPlanes: PixelPlanes(image))
      }
      #expect(found == expected && found[0].state == .following)
    }
  }

  static func leastRowBytes(_ format: PixelFormat, _ width: Int) -> Int {
    PixelLayout(format: format, width: width, height: 1).rowBytes
  }

  // MARK: Detections

  /// The first box is a quarter off: the detection of the same class is right.
  @Test(arguments: [nil, "cat"]) func detectionsOfTheSameClassCorrectTheBox(
    _ label: String?
  ) throws {
    let handler = SequenceRequestHandler()
    let request = request(label: label, dx: 6), image = try scene.image(pose)
    _ = try handler.perform(request, on: image)
    let dog = scene.detection(pose, "dog"), cat = scene.detection(pose, "cat")
    let far = scene.detection(RenderedPose(x: 40, y: 60), "cat")
    if label != nil {
      let kept = try handler.perform(request, on: image, detections: [dog, far])
      #expect(kept.detection == nil)
      #expect(kept.boundingBox.intersectionOverUnion(with: dog.boundingBox) < 0.8)
    }
    let corrected = try handler.perform(request, on: image, detections: [far, cat])
    #expect(corrected.detection == cat)
    #expect(corrected.boundingBox.intersectionOverUnion(with: cat.boundingBox) > 0.99)
    let next = try handler.perform(request, on: image)
    #expect(next.detection == nil)
    #expect(next.boundingBox.intersectionOverUnion(with: cat.boundingBox) > 0.9)
  }

  /// Two boxes overlap one detection: the nearer one takes it, in whatever order they stand.
  @Test(arguments: [true, false]) func noTwoObjectsTakeOneDetection(_ isReversed: Bool) throws {
    let handler = SequenceRequestHandler()
    let near = request(dx: 2), far = request(dx: 8), image = try scene.image(pose)
    let requests = isReversed ? [near, far] : [far, near]
    _ = try handler.perform(requests, on: image)
    let detection = scene.detection(pose, "dog")
    let objects = try handler.perform(requests, on: image, detections: [detection])
    #expect(objects.map { $0.detection == nil } == [!isReversed, isReversed])
  }

  @Test func aLostObjectIsRecognizedAmongDetections() throws {
    let handler = SequenceRequestHandler()
    let request = request()
    for index in 0..<20 {
      let pose = RenderedPose(x: 80, y: 60, isVisible: index < 6)
      let object = try handler.perform(request, on: scene.image(pose))
      if index > 6 { #expect(object.confidence < 0.3) }
      if index == 19 { #expect(object.state == .lost) }
    }
    let back = RenderedPose(x: 130, y: 90)
    let ground = scene.detection(RenderedPose(x: 35, y: 80), "dog")
    let object = try handler.perform(
      request, on: scene.image(back), detections: [ground, scene.detection(back, "dog")])
    #expect(object.state == .following && object.detection == scene.detection(back, "dog"))
    #expect(object.boundingBox.intersectionOverUnion(with: scene.normalized(back)) > 0.95)
  }

  // MARK: Threads

  /// Tasks that perform their own requests with one handler find what each would find alone.
  @Test func tasksWaitForOneAnother() async throws {
    let poses = (0..<6).map { RenderedPose(x: 60 + 2 * Double($0), y: 60) }
    let images = try poses.map { try scene.image($0) }
    let handler = SequenceRequestHandler(), box = scene.normalized(poses[0])
    let found = try await withThrowingTaskGroup(of: [TrackedObjectObservation].self) { group in
      for _ in 0..<6 {
        group.addTask {
          let request = TrackObjectRequest(boundingBox: box)
          return try images.map { try handler.perform(request, on: $0) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found.count == 6 && Set(found).count == 1)
  }
}
