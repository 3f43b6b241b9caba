// Fovea - tests of body poses behind the names of Vision.
// SPDX-License-Identifier: Apache-2.0
import AppleSamples
import Foundation
import FoveaApple
import FoveaAppleVision
import FoveaTestSupport
import Testing

@Suite("Body poses by the names of Vision", .serialized) struct BodyPoseTests {
  private struct Case: Decodable {
    struct Person: Decodable { var keypoints: [[Double]] }
    var objects: [Person]
  }

  /// Apple's names of COCO's points, in COCO's order.
  private static let names = [
    "head_joint", "left_eye_joint", "right_eye_joint", "left_ear_joint", "right_ear_joint",
    "left_shoulder_1_joint", "right_shoulder_1_joint", "left_forearm_joint",
    "right_forearm_joint", "left_hand_joint", "right_hand_joint", "left_upLeg_joint",
    "right_upLeg_joint", "left_leg_joint", "right_leg_joint", "left_foot_joint",
    "right_foot_joint",
  ]

  private static func picture(_ folder: URL) throws -> CGImage {
    let file = folder.appendingPathComponent("input.png")
    let source = try #require(CGImageSourceCreateWithURL(file as CFURL, nil))
    return try #require(CGImageSourceCreateImageAtIndex(source, 0, nil))
  }

  @Test("Without a network the error says what to set") func noNetwork() throws {
    VisionModels.bodyPose = nil
    let buffer = try ModelTests.plain(0, 0, 255, side: 9)
    do {
      try VNImageRequestHandler(cvPixelBuffer: buffer).perform([VNDetectHumanBodyPoseRequest()])
      Issue.record("poses without a network")
    } catch {
      #expect((error as NSError).code == VNErrorCode.dataUnavailable.rawValue)
      #expect((error as NSError).localizedDescription.contains("VisionModels.bodyPose"))
    }
  }

  @Test("A program gets the joints of each person", .enabled(if: SharedData.isPresent))
  func joints() throws {
    let folder = SharedData.url("tasks/pose-yolo11-coreml-half")
    let expected = try JSONDecoder().decode(
      Case.self, from: Data(contentsOf: folder.appendingPathComponent("expected.json")))
    VisionModels.bodyPose = folder.appendingPathComponent("model.mlpackage")
    defer { VisionModels.bodyPose = nil }
    let image = try Self.picture(folder)
    let people = try SkeletonDrawer().joints(in: image)
    // The case keeps the best people alone.
    try #require(people.count >= expected.objects.count && !expected.objects.isEmpty)
    for (found, person) in zip(people, expected.objects) {
      #expect(found.count == 19)
      for (name, point) in zip(Self.names, person.keypoints) {
        let joint = try #require(found[name])
        #expect(abs(joint.point.x - point[0]) < 0.1, "\(name)")
        #expect(abs(Double(image.height) - joint.point.y - point[1]) < 0.1, "\(name)")
        #expect(abs(Double(joint.confidence) - point[2]) < 0.002, "\(name)")
      }
      for (name, left, right) in [("neck_1_joint", 5, 6), ("root", 11, 12)] {
        let (joint, a, b) = (
          try #require(found[name]), person.keypoints[left], person.keypoints[right]
        )
        #expect(abs(joint.point.x - (a[0] + b[0]) / 2) < 0.1)
        #expect(abs(Double(image.height) - joint.point.y - (a[1] + b[1]) / 2) < 0.1)
        #expect(abs(Double(joint.confidence) - min(a[2], b[2])) < 0.002)
      }
    }
    let drawn = try #require(try SkeletonDrawer().drawn(image))
    #expect(drawn.width == image.width && drawn.height == image.height)
  }

  @Test("A network with other points is refused", .enabled(if: SharedData.isPresent))
  func otherPoints() throws {
    let folder = SharedData.url("tasks/pose-yolo26-endtoend-coreml")
    VisionModels.bodyPose = folder.appendingPathComponent("model.mlpackage")
    defer { VisionModels.bodyPose = nil }
    do {
      _ = try SkeletonDrawer().joints(in: Self.picture(folder))
      Issue.record("six points are no body")
    } catch {
      #expect((error as NSError).code == VNErrorCode.invalidModel.rawValue)
    }
  }
}
