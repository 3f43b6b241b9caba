// Fovea - faces, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision
internal import FoveaGeometry
internal import FoveaStills

/// A face.
public struct FaceObservation: VisionObservation, BoundingBoxProviding {
  let sighting: Sighting<FoveaStills.FaceObservation>

  public init(
    boundingBox: NormalizedRect, revision: DetectFaceRectanglesRequest.Revision? = nil
  ) {
    let face = FoveaStills.FaceObservation(boundingBox: .init(boundingBox.cgRect))
    self.init(sighting: Sighting(face))
  }

  public init(_ observation: VNFaceObservation) {
    self.init(sighting: Sighting(observation.face, of: observation))
  }

  init(sighting: Sighting<FoveaStills.FaceObservation>) { self.sighting = sighting }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var boundingBox: NormalizedRect { NormalizedRect(sighting.value.boundingBox) }
  public var landmarks: Landmarks2D? {
    sighting.value.landmarks.map { Landmarks2D(landmarks: $0) }
  }

  /// How far the face is turned; 0 where no model tells.
  public var roll: Measurement<UnitAngle> { Self.angle(sighting.value.roll) }
  public var yaw: Measurement<UnitAngle> { Self.angle(sighting.value.yaw) }
  public var pitch: Measurement<UnitAngle> { Self.angle(sighting.value.pitch) }

  private static func angle(_ radians: Double?) -> Measurement<UnitAngle> {
    Measurement(value: radians ?? 0, unit: .radians)
  }

  /// The landmarks of a face by what they belong to.
  public struct Landmarks2D: Hashable, Codable, Sendable {
    let landmarks: FaceLandmarks

    /// Some points of a face, in fractions of its box.
    public struct Region: Hashable, Codable, Sendable {
      public enum PointsClassification: Hashable, Codable, Sendable {
        case closedPath, disconnected, openPath
      }

      let region: FaceLandmarks.Region

      public var points: [NormalizedPoint] { region.points.map { NormalizedPoint($0) } }
      public var pointsClassification: PointsClassification {
        switch region.pointsClassification {
        case .closedPath: .closedPath
        case .openPath: .openPath
        case .disconnected: .disconnected
        }
      }

      /// The points in pixels of a picture.
      public func pointsInImageCoordinates(
        _ imageSize: CGSize, origin: CoordinateOrigin = .lowerLeft
      ) -> [CGPoint] {
        let box = NormalizedRect(region.box)
        return points.map {
          $0.toImageCoordinates(from: box, imageSize: imageSize, origin: origin)
        }
      }
    }

    public var confidence: Float { landmarks.confidence }
    public var allPoints: Region? { Region(region: landmarks.allPoints) }
    public var faceContour: Region? { self[.faceContour] }
    public var leftEye: Region? { self[.leftEye] }
    public var rightEye: Region? { self[.rightEye] }
    public var leftEyebrow: Region? { self[.leftEyebrow] }
    public var rightEyebrow: Region? { self[.rightEyebrow] }
    public var nose: Region? { self[.nose] }
    public var noseCrest: Region? { self[.noseCrest] }
    public var medianLine: Region? { self[.medianLine] }
    public var outerLips: Region? { self[.outerLips] }
    public var innerLips: Region? { self[.innerLips] }
    public var leftPupil: Region? { self[.leftPupil] }
    public var rightPupil: Region? { self[.rightPupil] }

    private subscript(part: FaceLandmarks.Part) -> Region? {
      landmarks[part].map { Region(region: $0) }
    }
  }
}
