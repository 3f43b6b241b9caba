// Fovea - faces, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision

/// A face.
public struct FaceObservation: VisionObservation, BoundingBoxProviding {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let boundingBox: NormalizedRect
  public let landmarks: Landmarks2D?
  /// Radians.
  private let angles: [Double?]

  public init(
    boundingBox: NormalizedRect, revision: DetectFaceRectanglesRequest.Revision? = nil
  ) {
    (uuid, confidence, originatingRequestDescriptor) = (UUID(), 1, nil)
    (self.boundingBox, landmarks, angles) = (boundingBox, nil, [nil, nil, nil])
  }

  public init(_ observation: VNFaceObservation) { self.init(observation, nil) }

  init(_ observation: VNFaceObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    originatingRequestDescriptor = descriptor
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
    landmarks = observation.landmarks.map { Landmarks2D($0, box: observation.boundingBox) }
    angles = [observation.roll, observation.yaw, observation.pitch].map { $0?.doubleValue }
  }

  /// How far the face is turned; 0 where no model tells.
  public var roll: Measurement<UnitAngle> { angle(0) }
  public var yaw: Measurement<UnitAngle> { angle(1) }
  public var pitch: Measurement<UnitAngle> { angle(2) }

  private func angle(_ index: Int) -> Measurement<UnitAngle> {
    Measurement(value: angles[index] ?? 0, unit: .radians)
  }

  /// The observation of the older kind, as the input of a request.
  var older: VNFaceObservation {
    VNFaceObservation(boundingBox.cgRect, confidence: confidence, roll: angles[0], uuid: uuid)
  }

  /// The landmarks of a face by what they belong to.
  public struct Landmarks2D: Hashable, Codable, Sendable {
    /// Some points of a face, in fractions of its box.
    public struct Region: Hashable, Codable, Sendable {
      public enum PointsClassification: Hashable, Codable, Sendable {
        case closedPath, disconnected, openPath
      }

      public let points: [NormalizedPoint]
      public let pointsClassification: PointsClassification
      private let box: CGRect

      init(_ region: VNFaceLandmarkRegion2D, box: CGRect) {
        points = region.normalizedPoints.map { NormalizedPoint(normalizedPoint: $0) }
        pointsClassification =
          switch region.pointsClassification {
          case .closedPath: .closedPath
          case .openPath: .openPath
          case .disconnected: .disconnected
          }
        self.box = box
      }

      /// The points in pixels of a picture.
      public func pointsInImageCoordinates(
        _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
      ) -> [CGPoint] {
        let region = NormalizedRect(normalizedRect: box)
        return points.map {
          $0.toImageCoordinates(from: region, imageSize: imageSize, origin: origin)
        }
      }
    }

    public let confidence: Float
    public let allPoints: Region?
    public let faceContour, leftEye, rightEye, leftEyebrow, rightEyebrow: Region?
    public let nose, noseCrest, medianLine, outerLips, innerLips: Region?
    public let leftPupil, rightPupil: Region?

    init(_ landmarks: VNFaceLandmarks2D, box: CGRect) {
      func region(_ part: VNFaceLandmarkRegion2D?) -> Region? { part.map { Region($0, box: box) } }
      confidence = landmarks.confidence
      allPoints = region(landmarks.allPoints)
      (faceContour, leftEye) = (region(landmarks.faceContour), region(landmarks.leftEye))
      (rightEye, leftEyebrow) = (region(landmarks.rightEye), region(landmarks.leftEyebrow))
      (rightEyebrow, nose) = (region(landmarks.rightEyebrow), region(landmarks.nose))
      (noseCrest, medianLine) = (region(landmarks.noseCrest), region(landmarks.medianLine))
      (outerLips, innerLips) = (region(landmarks.outerLips), region(landmarks.innerLips))
      (leftPupil, rightPupil) = (region(landmarks.leftPupil), region(landmarks.rightPupil))
    }
  }
}
