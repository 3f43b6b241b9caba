// Fovea - tests of following an object through rendered pictures whose boxes are known.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaFollowing
import FoveaGeometry
import Testing

@Suite struct FollowingTests {
  static let levels = TrackingLevel.allCases

  /// Steps of a fraction of a pixel add up: a follower that rounds would drift or stay.
  @Test(arguments: levels, [1.0, 2.0]) func motionIsFoundToAFractionOfAPixel(
    _ level: TrackingLevel, _ seed: Double
  ) throws {
    let poses = (0..<24).map {
      RenderedPose(x: 50 + 2.3 * Double($0), y: 50 + 9 * sin(Double($0) / 6))
    }
    let found = try RenderedScene(seed: seed).follow(poses, level: level)
    for (pose, object) in zip(poses.dropFirst(), found) {
      let (x, y) = (object.box.x + object.box.width / 2, object.box.y + object.box.height / 2)
      #expect(abs(x - pose.x) < 0.5 && abs(y - pose.y) < 0.5)
      #expect(object.state == .following && object.confidence > 0.5)
    }
  }

  @Test(arguments: levels) func widthAndHeightAreFoundSeparately(_ level: TrackingLevel) throws {
    let poses = (0..<25).map {
      RenderedPose(
        x: 80, y: 60, width: 30 * exp(0.012 * Double($0)), height: 24 * exp(-0.006 * Double($0)))
    }
    let last = try #require(try RenderedScene().follow(poses, level: level).last)
    #expect(abs(last.box.width / poses[24].width - 1) < 0.05)
    #expect(abs(last.box.height / poses[24].height - 1) < 0.05)
  }

  @Test(arguments: levels) func turningWidensTheFrame(_ level: TrackingLevel) throws {
    let poses = (0..<21).map { RenderedPose(x: 80, y: 60, angle: 0.025 * Double($0)) }
    let last = try #require(try RenderedScene().follow(poses, level: level).last)
    #expect(abs(last.angle - 0.5) < 0.06)
    #expect(overlap(last.box, poses[20].box) > 0.85)
  }

  @Test(arguments: levels) func absenceIsSaidAndTheReturnIsFound(_ level: TrackingLevel) throws {
    let here = (0..<8).map { RenderedPose(x: 60 + Double($0), y: 60) }
    let gone = (0..<15).map { _ in RenderedPose(x: 0, y: 0, isVisible: false) }
    // It comes back elsewhere: 30 pixels, a whole object, from where it went.
    let back = (0..<15).map { _ in RenderedPose(x: 92, y: 78) }
    let found = try RenderedScene().follow(here + gone + back, level: level)
    let absent = found[7..<22]
    #expect(absent.allSatisfy { $0.confidence < 0.3 && $0.state != .following })
    #expect(absent.last?.state == .lost)
    let last = try #require(found.last)
    #expect(last.state == .following && last.confidence > 0.5)
    #expect(overlap(last.box, back[0].box) > 0.8)
  }

  @Test func anObjectThatLeavesIsNotSeenAtTheEdge() throws {
    let poses = (0..<30).map { RenderedPose(x: 90 + 5 * Double($0), y: 60) }
    let found = try RenderedScene().follow(poses)
    for (pose, object) in zip(poses.dropFirst(), found) where pose.x > 178 {
      #expect(object.confidence < 0.3)
    }
  }

  /// One resolution after another: places and sizes go with it.
  @Test func aPictureOfAnotherSizeIsTheSameView() throws {
    var follower = try ObjectFollower()
    let small = RenderedScene(), pose = RenderedPose(x: 80, y: 60)
    try small.with(pose) { picture throws(FollowingError) in
      try follower.start(in: picture, box: pose.box)
      _ = try follower.step(in: picture)
    }
    let luma = small.luma(pose)
    let large: [UInt8] = (0..<240 * 320).map { luma[$0 / 320 / 2 * 160 + $0 % 320 / 2] }
    let object = try FollowedImage.withPlanes(
      luma: large.span.bytes, .init(width: 320, height: 240, rowBytes: 320),
      blue: large.span.bytes, nil, red: large.span.bytes, nil
    ) { picture throws(FollowingError) in try follower.step(in: picture) }
    let expected = ImageRect(x: 130, y: 96, width: 60, height: 48, origin: .upperLeft)
    #expect(overlap(object.box, expected) > 0.9)
  }

  /// The same pictures as gray planes and as pixels of three equal colors.
  @Test func grayPixelsOfColorsAreGray() throws {
    let scene = RenderedScene()
    let poses = (0..<10).map { RenderedPose(x: 60 + 2 * Double($0), y: 60) }
    let planes = try scene.follow(poses)
    var follower = try ObjectFollower()
    for (index, pose) in poses.enumerated() {
      let pixels: [UInt8] = scene.luma(pose).flatMap { level in [level, level, level, 255] }
      try FollowedImage.withColors(
        pixels.span.bytes, .init(width: 160, height: 120, rowBytes: 640, pixelBytes: 4)
      ) { picture throws(FollowingError) in
        if index == 0 { return try follower.start(in: picture, box: pose.box) }
        let object = try follower.step(in: picture, seconds: 0.04)
        let other = planes[index - 1]
        #expect(abs(object.box.x - other.box.x) < 0.05 && abs(object.box.y - other.box.y) < 0.05)
      }
    }
  }

  /// A follower that was used before finds the same as a new one.
  @Test func startingForgets() throws {
    let scene = RenderedScene(), other = RenderedScene(seed: 3)
    let poses = (0..<6).map { RenderedPose(x: 60 + 2 * Double($0), y: 60) }
    let fresh = try scene.follow(poses)
    var used = try ObjectFollower()
    for pose in [RenderedPose(x: 100, y: 40), RenderedPose(x: 103, y: 41)] {
      try other.with(pose) { picture throws(FollowingError) in
        try used.start(in: picture, box: pose.box)
        _ = try used.step(in: picture, seconds: 1)
      }
    }
    for (index, pose) in poses.enumerated() {
      try scene.with(pose) { picture throws(FollowingError) in
        if index == 0 { return try used.start(in: picture, box: pose.box) }
        #expect(try used.step(in: picture, seconds: 0.04) == fresh[index - 1])
      }
    }
  }
}
