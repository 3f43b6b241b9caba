// Fovea - the landmarks of a face.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaGeometry
package import FoveaStills

/// How points belong together.
public enum VNPointsClassification: Int, Sendable {
  case disconnected, openPath, closedPath
}

/// Some points of a face, in fractions of its box.
public final class VNFaceLandmarkRegion2D: NSObject {
  public let normalizedPoints: [CGPoint]
  public let pointsClassification: VNPointsClassification
  private let box: CGRect

  init(_ region: FaceLandmarks.Region, box: CGRect) {
    pointsClassification =
      switch region.pointsClassification {
      case .closedPath: .closedPath
      case .openPath: .openPath
      case .disconnected: .disconnected
      }
    normalizedPoints = region.points.map { CGPoint(x: $0.x, y: $0.y) }
    self.box = box
    super.init()
  }

  public var pointCount: Int { normalizedPoints.count }

  /// The points in pixels of a picture, from its lower left.
  public func pointsInImage(imageSize: CGSize) -> [CGPoint] {
    normalizedPoints.map { point in
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

  package init(_ landmarks: FaceLandmarks, box: CGRect) {
    confidence = landmarks.confidence
    allPoints = VNFaceLandmarkRegion2D(landmarks.allPoints, box: box)
    var parts: [FaceLandmarks.Part: VNFaceLandmarkRegion2D] = [:]
    for part in FaceLandmarks.Part.allCases {
      parts[part] = landmarks[part].map { VNFaceLandmarkRegion2D($0, box: box) }
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
