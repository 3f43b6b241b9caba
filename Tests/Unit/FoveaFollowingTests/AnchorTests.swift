// Fovea - tests of detections that correct a follower.
// SPDX-License-Identifier: Apache-2.0
import FoveaFollowing
import FoveaGeometry
import Testing

@Suite struct AnchorTests {
  let scene = RenderedScene()
  let pose = RenderedPose(x: 80, y: 60)

  @Test func aDetectionCorrectsPlaceAndSize() throws {
    var follower = try ObjectFollower()
    try scene.with(pose) { picture throws(FollowingError) in
      // The first box is off by a quarter of the object.
      var box = pose.box
      box.x += 7
      try follower.start(in: picture, box: box)
      _ = try follower.step(in: picture)
      var far = pose.box
      far.x -= 60
      let anchored = try follower.anchor(in: picture, to: [far, pose.box])
      #expect(anchored.index == 1)
      #expect(overlap(anchored.object.box, pose.box) > 0.99)
      let next = try follower.step(in: picture)
      #expect(overlap(next.box, pose.box) > 0.9)
    }
  }

  @Test func detectionsOfOtherObjectsCorrectNothing() throws {
    var follower = try ObjectFollower()
    try scene.with(pose) { picture throws(FollowingError) in
      try follower.start(in: picture, box: pose.box)
      let before = try follower.step(in: picture)
      var far = pose.box
      far.x -= 40
      let empty = ImageRect(x: .nan, y: 0, width: 0, height: 0, origin: .upperLeft)
      let anchored = try follower.anchor(in: picture, to: [far, empty])
      #expect(anchored.index == nil && anchored.object == before)
      #expect(try follower.anchor(in: picture, to: []).index == nil)
    }
  }

  /// Gone for long, the object is taken from the detections by its looks.
  @Test func aLostObjectIsRecognizedAmongDetections() throws {
    var follower = try ObjectFollower()
    let here = RenderedPose(x: 40, y: 40), back = RenderedPose(x: 120, y: 80)
    for index in 0..<20 {
      let pose = index < 6 ? here : RenderedPose(x: 0, y: 0, isVisible: false)
      try scene.with(pose) { picture throws(FollowingError) in
        if index == 0 { return try follower.start(in: picture, box: here.box) }
        _ = try follower.step(in: picture)
      }
    }
    try scene.with(back) { picture throws(FollowingError) in
      let ground = ImageRect(x: 20, y: 70, width: 30, height: 24, origin: .upperLeft)
      let anchored = try follower.anchor(in: picture, to: [ground, back.box])
      #expect(anchored.index == 1 && anchored.object.state == .following)
      #expect(overlap(anchored.object.box, back.box) > 0.95)
    }
  }
}
