// Fovea - the landmarks of a face, region by region.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// The landmarks of a face, under the names of Vision's regions.
///
/// Left and right are those of the image: `leftEye` is at the left of the upright face.
public struct FaceLandmarks: Hashable, Codable, Sendable {
  /// Points of a part of a face.
  public struct Region: Hashable, Codable, Sendable {
    /// How points belong together.
    public enum Classification: String, Hashable, Codable, Sendable {
      /// The last point is joined to the first.
      case closedPath
      /// A line with two ends.
      case openPath
      /// Points for themselves.
      case disconnected
    }

    /// The points in fractions of the face's box, from its lower left. Points may lie outside.
    public let points: [NormalizedPoint]
    /// How points belong together.
    public let pointsClassification: Classification
    /// The box of the face in fractions of the image.
    package let box: NormalizedRect

    /// The points in pixels of the full upright image.
    public func pointsInImageCoordinates(
      _ imageSize: ImageSize, origin: CoordinateOrigin = .lowerLeft
    ) -> [ImagePoint] {
      points.map { point in
        NormalizedPoint(x: box.x + point.x * box.width, y: box.y + point.y * box.height)
          .toImageCoordinates(imageSize, origin: origin)
      }
    }
  }

  /// A part of a face. `outerLips`, `innerLips` and the eyes are closed; a pupil is one point.
  public enum Part: String, CaseIterable, Hashable, Codable, Sendable {
    case faceContour, leftEye, rightEye, leftEyebrow, rightEyebrow, nose, noseCrest, medianLine
    case outerLips, innerLips, leftPupil, rightPupil
  }

  /// How sure the network is that it saw a face, 0...1.
  public let confidence: Float
  /// All points that the network places, those of no part among them.
  public let allPoints: Region
  private let parts: [Part: Region]

  init(confidence: Float, allPoints: Region, parts: [Part: Region]) {
    (self.confidence, self.allPoints, self.parts) = (confidence, allPoints, parts)
  }

  /// The points of a part; `nil` where the network has none.
  public subscript(part: Part) -> Region? { parts[part] }
}
