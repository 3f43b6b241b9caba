// Fovea - the landmarks of a face.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaGeometry
internal import FoveaStills

/// How points belong together.
public enum VNPointsClassification: Int, Sendable {
  case disconnected, openPath, closedPath
}

/// Some points of a face, in fractions of its box.
public final class VNFaceLandmarkRegion2D: NSObject {
  private let region: FaceLandmarks.Region

  init(_ region: FaceLandmarks.Region) {
    self.region = region
    super.init()
  }

  public var normalizedPoints: [CGPoint] { region.points.map { CGPoint($0) } }
  public var pointCount: Int { region.points.count }
  public var pointsClassification: VNPointsClassification {
    switch region.pointsClassification {
    case .closedPath: .closedPath
    case .openPath: .openPath
    case .disconnected: .disconnected
    }
  }

  /// The points in pixels of a picture, from its lower left.
  public func pointsInImage(imageSize: CGSize) -> [CGPoint] {
    let box = region.box
    return region.points.map { point in
      CGPoint(
        x: (box.minX + point.x * box.width) * imageSize.width,
        y: (box.minY + point.y * box.height) * imageSize.height)
    }
  }
}

/// The landmarks of a face by what they belong to.
public final class VNFaceLandmarks2D: NSObject {
  public let confidence: VNConfidence
  public let allPoints: VNFaceLandmarkRegion2D?
  private let parts: [FaceLandmarks.Part: VNFaceLandmarkRegion2D]

  init(_ landmarks: FaceLandmarks) {
    confidence = landmarks.confidence
    allPoints = VNFaceLandmarkRegion2D(landmarks.allPoints)
    var parts: [FaceLandmarks.Part: VNFaceLandmarkRegion2D] = [:]
    for part in FaceLandmarks.Part.allCases {
      parts[part] = landmarks[part].map { VNFaceLandmarkRegion2D($0) }
    }
    self.parts = parts
    super.init()
  }

  public var faceContour: VNFaceLandmarkRegion2D? { parts[.faceContour] }
  public var leftEye: VNFaceLandmarkRegion2D? { parts[.leftEye] }
  public var rightEye: VNFaceLandmarkRegion2D? { parts[.rightEye] }
  public var leftEyebrow: VNFaceLandmarkRegion2D? { parts[.leftEyebrow] }
  public var rightEyebrow: VNFaceLandmarkRegion2D? { parts[.rightEyebrow] }
  public var nose: VNFaceLandmarkRegion2D? { parts[.nose] }
  public var noseCrest: VNFaceLandmarkRegion2D? { parts[.noseCrest] }
  public var medianLine: VNFaceLandmarkRegion2D? { parts[.medianLine] }
  public var outerLips: VNFaceLandmarkRegion2D? { parts[.outerLips] }
  public var innerLips: VNFaceLandmarkRegion2D? { parts[.innerLips] }
  public var leftPupil: VNFaceLandmarkRegion2D? { parts[.leftPupil] }
  public var rightPupil: VNFaceLandmarkRegion2D? { parts[.rightPupil] }
}
