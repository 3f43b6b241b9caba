// Fovea - tests of boxes and pictures that cannot be followed, and of noise.
// SPDX-License-Identifier: Apache-2.0
import FoveaFollowing
import FoveaGeometry
import FoveaTestSupport
import Testing

@Suite struct FollowingInputTests {
  static func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> ImageRect {
    ImageRect(x: x, y: y, width: width, height: height, origin: .upperLeft)
  }

  static let badBoxes = [
    rect(.nan, 10, 20, 20), rect(10, .infinity, 20, 20), rect(10, 10, .nan, 20),
    rect(10, 10, 20, .infinity), rect(10, 10, 0, 20), rect(10, 10, 20, -20), rect(10, 10, 2, 20),
    rect(1e30, 10, 20, 20), rect(10, -1e300, 20, 20), rect(-1000, -1000, 1e30, 1e30),
    rect(161, 10, 20, 20), rect(-19, 10, 20, 20), rect(10, 119, 20, 20), rect(0, 0, 321, 20),
  ]

  @Test(arguments: badBoxes) func badBoxesAreRefusedByName(_ box: ImageRect) throws {
    var follower = try ObjectFollower()
    let scene = RenderedScene()
    #expect {
      try scene.with(RenderedPose(x: 80, y: 60)) { picture throws(FollowingError) in
        try follower.start(in: picture, box: box)
      }
    } throws: { error in
      guard case .invalidBox? = error as? FollowingError else { return false }
      return true
    }
  }

  @Test(arguments: [rect(-15, 10, 20, 20), rect(150, 110, 20, 20), rect(0, 0, 320, 240)])
  func boxesBeyondTheEdgeAreFollowed(_ box: ImageRect) throws {
    var follower = try ObjectFollower()
    let object = try RenderedScene().with(RenderedPose(x: 80, y: 60)) {
      picture throws(FollowingError) in
      try follower.start(in: picture, box: box)
      return try follower.step(in: picture)
    }
    #expect(object.box.width.isFinite && object.box.x.isFinite)
  }

  @Test func aStepBeforeABoxIsRefused() throws {
    var follower = try ObjectFollower()
    #expect(throws: FollowingError.self) {
      try RenderedScene().with(RenderedPose(x: 80, y: 60)) { picture throws(FollowingError) in
        _ = try follower.step(in: picture)
      }
    }
  }

  static let badPlanes: [FollowedImage.Plane] = [
    .init(width: 0, height: 10, rowBytes: 10), .init(width: 10, height: -1, rowBytes: 10),
    .init(width: 10, height: 10, rowBytes: 9), .init(width: 10, height: 11, rowBytes: 10),
    .init(width: 10, height: 10, rowBytes: 10, pixelBytes: 0),
    .init(width: 10, height: 10, rowBytes: 10, offset: 1),
    .init(width: 10, height: 10, rowBytes: 10, offset: -1),
    .init(width: 10, height: 10, rowBytes: .max), .init(width: 1 << 40, height: 1, rowBytes: .max),
  ]

  @Test(arguments: badPlanes) func planesBeyondTheirMemoryAreRefused(
    _ plane: FollowedImage.Plane
  ) throws {
    let bytes = [UInt8](repeating: 0, count: 100)
    #expect(throws: FollowingError.invalidPicture) {
      try FollowedImage.withPlanes(
        luma: bytes.span.bytes, plane, blue: bytes.span.bytes, nil, red: bytes.span.bytes, nil
      ) { _ throws(FollowingError) in }
    }
  }

  /// Whatever a picture shows, results are finite, and a flat picture is no object.
  @Test(arguments: [(1, 1), (3, 3), (1, 200), (200, 3), (64, 48)], [true, false])
  func noiseAndFlatPicturesGiveFiniteBoxes(_ size: (Int, Int), _ isFlat: Bool) throws {
    var random = SplitMix(seed: UInt64(size.0 * 1000 + size.1))
    var follower = try ObjectFollower()
    let plane = FollowedImage.Plane(width: size.0, height: size.1, rowBytes: size.0)
    var last: FollowedObject?
    for index in 0..<12 {
      let bytes = (0..<size.0 * size.1).map { _ in
        isFlat ? 77 : UInt8(truncatingIfNeeded: random.next())
      }
      try FollowedImage.withPlanes(
        luma: bytes.span.bytes, plane, blue: bytes.span.bytes, plane, red: bytes.span.bytes, plane
      ) { picture throws(FollowingError) in
        guard index > 0 else {
          let box = Self.rect(0, 0, max(3, Double(size.0) / 2), max(3, Double(size.1) / 2))
          guard box.width <= 2 * Double(size.0), box.height <= 2 * Double(size.1) else { return }
          return try follower.start(in: picture, box: box)
        }
        guard size.0 >= 2, size.1 >= 2 else { return }
        last = try follower.step(in: picture, seconds: [.nan, -1, 1e9, 0.04][index % 4])
        let values = [last!.box.x, last!.box.y, last!.box.width, last!.box.height, last!.angle]
        #expect(values.allSatisfy { $0.isFinite && abs($0) < 1e5 })
        #expect((0...1).contains(last!.confidence))
      }
    }
    if isFlat, let last { #expect(last.confidence < 0.3) }
  }
}
