// Fovea - people and their joints, found with the network that a program chooses.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple
internal import FoveaGeometry
internal import FoveaShapes
internal import FoveaVision

public let VNDetectHumanBodyPoseRequestRevision1 = 1

/// A request that finds people with their joints, by the network of `VisionModels.bodyPose`. Without
/// it the request fails with `dataUnavailable`.
public final class VNDetectHumanBodyPoseRequest: VNImageBasedRequest {
  public var results: [VNHumanBodyPoseObservation]? { found as? [VNHumanBodyPoseObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    try picture.bodies(in: regionOfInterest)
  }
}

extension VisionImage {
  /// People with their joints, by the network of `VisionModels.bodyPose`.
  package func bodies(in region: CGRect) throws -> [VNHumanBodyPoseObservation] {
    try found(VisionModels.poses.request(), in: region).map { person in
      guard let body = VNHumanBodyPoseObservation(person) else {
        throw VisionFailure(
          .invalidModel,
          "the network of VisionModels.bodyPose gives \(person.keypoints.count) points "
            + person.keypoints.map(\.name).joined(separator: ", ")
            + "; expected the 17 of COCO, by COCO's names")
      }
      return body
    }
  }
}

/// The joints of a person.
public final class VNHumanBodyPoseObservation: VNRecognizedPointsObservation {
  public struct JointName: RawRepresentable, Hashable, Sendable {
    public let rawValue: VNRecognizedPointKey

    public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

    private init(_ name: String) { self.init(rawValue: VNRecognizedPointKey(rawValue: name)) }

    public static let nose = JointName("head_joint")
    public static let leftEye = JointName("left_eye_joint")
    public static let rightEye = JointName("right_eye_joint")
    public static let leftEar = JointName("left_ear_joint")
    public static let rightEar = JointName("right_ear_joint")
    public static let neck = JointName("neck_1_joint")
    public static let leftShoulder = JointName("left_shoulder_1_joint")
    public static let rightShoulder = JointName("right_shoulder_1_joint")
    public static let leftElbow = JointName("left_forearm_joint")
    public static let rightElbow = JointName("right_forearm_joint")
    public static let leftWrist = JointName("left_hand_joint")
    public static let rightWrist = JointName("right_hand_joint")
    public static let root = JointName("root")
    public static let leftHip = JointName("left_upLeg_joint")
    public static let rightHip = JointName("right_upLeg_joint")
    public static let leftKnee = JointName("left_leg_joint")
    public static let rightKnee = JointName("right_leg_joint")
    public static let leftAnkle = JointName("left_foot_joint")
    public static let rightAnkle = JointName("right_foot_joint")
  }

  public struct JointsGroupName: RawRepresentable, Hashable, Sendable {
    public let rawValue: VNRecognizedPointGroupKey

    public init(rawValue: VNRecognizedPointGroupKey) { self.rawValue = rawValue }

    private init(_ name: String) {
      self.init(rawValue: VNRecognizedPointGroupKey(rawValue: name))
    }

    public static let face = JointsGroupName("VNBLKFACE")
    public static let torso = JointsGroupName("VNBLKTORSO")
    public static let leftArm = JointsGroupName("VNBLKLARM")
    public static let rightArm = JointsGroupName("VNBLKRARM")
    public static let leftLeg = JointsGroupName("VNBLKLLEG")
    public static let rightLeg = JointsGroupName("VNBLKRLEG")
    public static let all = JointsGroupName(rawValue: .all)

    /// The joints of the group; none for `all`.
    package var joints: [JointName] {
      VNHumanBodyPoseObservation.groups.first { $0.0 == self }?.1 ?? []
    }
  }

  /// The joints in the order of COCO's points.
  private static let joints: [JointName] = [
    .nose, .leftEye, .rightEye, .leftEar, .rightEar, .leftShoulder, .rightShoulder, .leftElbow,
    .rightElbow, .leftWrist, .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle,
    .rightAnkle,
  ]

  fileprivate static let groups: [(JointsGroupName, [JointName])] = [
    (.face, [.nose, .leftEye, .rightEye, .leftEar, .rightEar]),
    (.torso, [.neck, .leftShoulder, .rightShoulder, .leftHip, .rightHip, .root]),
    (.leftArm, [.leftShoulder, .leftElbow, .leftWrist]),
    (.rightArm, [.rightShoulder, .rightElbow, .rightWrist]),
    (.leftLeg, [.leftHip, .leftKnee, .leftAnkle]),
    (.rightLeg, [.rightHip, .rightKnee, .rightAnkle]),
  ]

  /// The person of an object; `nil` where its points are not those of COCO.
  init?(_ person: RecognizedObjectObservation) {
    guard person.keypoints.map(\.name) == BodyPoints.names else { return nil }
    var points = zip(Self.joints, person.keypoints).map { joint, point in
      VNRecognizedPoint(
        joint.rawValue, CGPoint(point.location), confidence: point.confidence)
    }
    // COCO has neither the neck nor the root: they lie between the shoulders and between the hips.
    for (joint, left, right) in [(JointName.neck, 5, 6), (.root, 11, 12)] {
      let (a, b) = (points[left], points[right])
      points.append(
        VNRecognizedPoint(
          joint.rawValue, CGPoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2),
          confidence: min(a.confidence, b.confidence)))
    }
    let groups = Self.groups.map { ($0.0.rawValue, $0.1.map(\.rawValue)) }
    super.init(
      points, groups: Dictionary(uniqueKeysWithValues: groups), confidence: person.confidence)
  }

  public var availableJointNames: [JointName] { availableKeys.map { JointName(rawValue: $0) } }
  public var availableJointsGroupNames: [JointsGroupName] {
    availableGroupKeys.map { JointsGroupName(rawValue: $0) }
  }

  public func recognizedPoint(_ jointName: JointName) throws -> VNRecognizedPoint {
    try recognizedPoint(forKey: jointName.rawValue)
  }

  public func recognizedPoints(
    _ jointsGroupName: JointsGroupName
  ) throws -> [JointName: VNRecognizedPoint] {
    let points = try recognizedPoints(forGroupKey: jointsGroupName.rawValue)
    return Dictionary(
      uniqueKeysWithValues: points.map { (JointName(rawValue: $0.key), $0.value) })
  }
}
