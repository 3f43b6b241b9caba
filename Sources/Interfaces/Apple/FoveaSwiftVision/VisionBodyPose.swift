// Fovea - people and their joints, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision

/// A request that finds people with their joints, by the network of `VisionModels.bodyPose`. Without
/// it the request fails with `dataUnavailable`.
public struct DetectHumanBodyPoseRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision2 = 2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [HumanBodyPoseObservation]

  public var regionOfInterest = NormalizedRect.fullImage
  /// Whether hands are looked for, too. Networks of COCO's points find none.
  public var detectsHands = false
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .detectHumanBodyPoseRequest(revision) }
  public var supportedJointNames: [HumanBodyPoseObservation.JointName] {
    HumanBodyPoseObservation.JointName.allCases
  }
  public var supportedJointsGroupNames: [HumanBodyPoseObservation.JointsGroupName] {
    HumanBodyPoseObservation.JointsGroupName.allCases
  }

  package func found(in picture: VisionImage) throws -> [HumanBodyPoseObservation] {
    try picture.bodies(in: regionOfInterest.cgRect).map {
      HumanBodyPoseObservation(
        sighting: Sighting(
          HumanBodyPoseObservation.joints($0), confidence: $0.confidence, by: descriptor,
          at: picture.time))
    }
  }
}

/// A joint that was found.
public struct Joint: Hashable, Codable, Sendable, CustomStringConvertible {
  /// Where it is on the upright picture.
  public let location: NormalizedPoint
  public let jointName: String
  /// 0 for a joint that was not seen.
  public let confidence: Float

  public var description: String { "\(jointName) \(location) confidence=\(confidence)" }
}

/// Something with joints, which belong to groups.
public protocol PoseProviding {
  associatedtype PoseJointName: Hashable
  associatedtype PoseJointsGroupName: Hashable

  var availableJointNames: [PoseJointName] { get }
  var availableJointsGroupNames: [PoseJointsGroupName] { get }
  func joint(for jointName: PoseJointName) -> Joint?
  func jointNames(in groupName: PoseJointsGroupName?) -> [PoseJointName]
}

extension PoseProviding {
  /// The joints of a group; all of them without one.
  public func allJoints(in groupName: PoseJointsGroupName? = nil) -> [PoseJointName: Joint] {
    let joints = jointNames(in: groupName).compactMap { name in joint(for: name).map { (name, $0) }
    }
    return Dictionary(uniqueKeysWithValues: joints)
  }
}

/// The joints of a person.
public struct HumanBodyPoseObservation: VisionObservation, PoseProviding {
  public enum JointName: String, Codable, Hashable, Sendable, CaseIterable {
    case nose
    case leftEye
    case rightEye
    case leftEar
    case rightEar
    case neck
    case leftShoulder
    case rightShoulder
    case leftElbow
    case rightElbow
    case leftWrist
    case rightWrist
    case root
    case leftHip
    case rightHip
    case leftKnee
    case rightKnee
    case leftAnkle
    case rightAnkle
  }

  public enum JointsGroupName: String, Codable, Hashable, Sendable, CaseIterable {
    case face
    case torso
    case leftArm
    case rightArm
    case leftLeg
    case rightLeg
  }

  public typealias PoseJointName = JointName
  public typealias PoseJointsGroupName = JointsGroupName

  let sighting: Sighting<[JointName: Joint]>

  public init(_ observation: VNHumanBodyPoseObservation) {
    self.init(sighting: Sighting(Self.joints(observation), of: observation))
  }

  init(sighting: Sighting<[JointName: Joint]>) { self.sighting = sighting }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }

  public var availableJointNames: [JointName] { jointNames(in: nil) }
  public var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.allCases }

  /// A joint; `nil` where the network has none of this name.
  public func joint(for jointName: JointName) -> Joint? { sighting.value[jointName] }

  /// The joints of a group; all of them without one.
  public func jointNames(in groupName: JointsGroupName?) -> [JointName] {
    JointName.allCases.filter {
      sighting.value[$0] != nil && (groupName?.older.joints.contains($0.older) ?? true)
    }
  }

  /// The joints of a person that the older request found.
  static func joints(_ body: VNHumanBodyPoseObservation) -> [JointName: Joint] {
    let joints = JointName.allCases.compactMap { name in
      (try? body.recognizedPoint(name.older)).map { point in
        let joint = Joint(
          location: NormalizedPoint(normalizedPoint: point.location),
          jointName: name.older.rawValue.rawValue, confidence: point.confidence)
        return (name, joint)
      }
    }
    return Dictionary(uniqueKeysWithValues: joints)
  }
}

extension HumanBodyPoseObservation.JointName {
  var older: VNHumanBodyPoseObservation.JointName {
    switch self {
    case .nose: .nose
    case .leftEye: .leftEye
    case .rightEye: .rightEye
    case .leftEar: .leftEar
    case .rightEar: .rightEar
    case .neck: .neck
    case .leftShoulder: .leftShoulder
    case .rightShoulder: .rightShoulder
    case .leftElbow: .leftElbow
    case .rightElbow: .rightElbow
    case .leftWrist: .leftWrist
    case .rightWrist: .rightWrist
    case .root: .root
    case .leftHip: .leftHip
    case .rightHip: .rightHip
    case .leftKnee: .leftKnee
    case .rightKnee: .rightKnee
    case .leftAnkle: .leftAnkle
    case .rightAnkle: .rightAnkle
    }
  }
}

extension HumanBodyPoseObservation.JointsGroupName {
  var older: VNHumanBodyPoseObservation.JointsGroupName {
    switch self {
    case .face: .face
    case .torso: .torso
    case .leftArm: .leftArm
    case .rightArm: .rightArm
    case .leftLeg: .leftLeg
    case .rightLeg: .rightLeg
    }
  }
}
