// Fovea - tests of requests that follow objects, as a program that uses them sees it.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaFollowing
import FoveaTestSupport
import Testing

@Suite struct TrackObjectRequestTests {
  let scene = RenderedScene()
  /// A walk over 20 pictures.
  let poses = (0..<20).map { RenderedPose(x: 60 + 2 * Double($0), y: 50 + Double($0)) }

  @Test(arguments: TrackingLevel.allCases) func anObjectIsFollowedThroughPictures(
    _ level: TrackingLevel
  ) throws {
    let handler = SequenceRequestHandler()
    let request = TrackObjectRequest(
      detectedObject: scene.detection(poses[0], "dog"), trackingLevel: level)
    let first = try handler.perform(request, on: scene.image(poses[0]))
    #expect(first.boundingBox == scene.normalized(poses[0]) && first.confidence == 1)
    for pose in poses.dropFirst() {
      let object = try handler.perform(request, on: scene.image(pose))
      #expect(object.boundingBox.intersectionOverUnion(with: scene.normalized(pose)) > 0.85)
      #expect(object.confidence > 0.5 && object.state == .following && object.label == "dog")
    }
  }

  /// Stored on its side or mirrored, by what the picture says itself: boxes stay upright.
  @Test(arguments: ImageOrientation.allCases) func boxesAreOnTheUprightPicture(
    _ orientation: ImageOrientation
  ) throws {
    let handler = SequenceRequestHandler()
    let request = TrackObjectRequest(boundingBox: scene.normalized(poses[0]))
    for pose in poses {
      // What undoes a turn makes a stored picture of an upright one.
      let undone: ImageOrientation =
        orientation == .left ? .right : orientation == .right ? .left : orientation
      let upright = try scene.image(pose)
      let turned = try Image(
        width: upright.width, height: upright.height, rgb: upright.rgb,
        storedOrientation: undone.rawValue
      ).upright()
      let stored = try Image(
        width: turned.width, height: turned.height, rgb: turned.rgb,
        storedOrientation: orientation.rawValue)
      let object = try handler.perform(request, on: stored)
      #expect(object.boundingBox.intersectionOverUnion(with: scene.normalized(pose)) > 0.85)
    }
  }

  /// Frames of cameras, read where they lie, with rows that are longer than their pixels.
  @Test(arguments: PixelFormat.allCases) func framesOfAllFormatsAreFollowed(
    _ format: PixelFormat
  ) throws {
    let handler = SequenceRequestHandler()
    let request = TrackObjectRequest(boundingBox: scene.normalized(poses[0]))
    for pose in poses {
      let frame = scene.frame(pose, format, padding: 12)
      let object = try handler.perform(
        [request], onPixels: frame.bytes.span.bytes, layout: frame.layout)[0]
      #expect(object.boundingBox.intersectionOverUnion(with: scene.normalized(pose)) > 0.85)
      // Fewer bytes than the layout says; the last one may be alpha.
      let short = Array(frame.bytes.dropLast(2))
      #expect(throws: FollowingError.invalidPicture) {
        try handler.perform([request], onPixels: short.span.bytes, layout: frame.layout)
      }
    }
  }

  @Test func filesAreFollowed() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let handler = SequenceRequestHandler()
    let request = TrackObjectRequest(boundingBox: scene.normalized(poses[0]))
    for (index, pose) in poses.prefix(8).enumerated() {
      let path = folder.path("\(index).jpg")
      try scene.image(pose).write(to: path, as: .jpeg)
      let object = try handler.perform(request, on: ImageFile(contentsOf: path))
      #expect(object.boundingBox.intersectionOverUnion(with: scene.normalized(pose)) > 0.8)
    }
    let whole = try scene.image(poses[0]).jpegBytes(quality: 90)
    #expect {
      try handler.perform(request, on: ImageFile(bytes: Array(whole.dropLast(whole.count / 4))))
    } throws: { error in
      guard case .image(let error)? = error as? FollowingError else { return false }
      return error.reason == .truncated(.jpeg)
    }
  }

  /// A picture that comes late is a picture in which the object has gone further.
  @Test func timesSayHowFarAnObjectMayHaveMoved() throws {
    let times = [0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 18, 21]
    func overlaps(areTimed: Bool) throws -> [Double] {
      let handler = SequenceRequestHandler()
      let request = TrackObjectRequest(boundingBox: scene.normalized(pose(at: 0)))
      return try times.map { time in
        let object = try handler.perform(
          request, on: scene.image(pose(at: time)), time: areTimed ? time : nil)
        return object.boundingBox.intersectionOverUnion(with: scene.normalized(pose(at: time)))
      }
    }
    #expect(try overlaps(areTimed: true).min() ?? 0 > 0.8)
    #expect(try overlaps(areTimed: true) != overlaps(areTimed: false))
  }

  private func pose(at time: Double) -> RenderedPose { RenderedPose(x: 30 + 5 * time, y: 60) }
}
