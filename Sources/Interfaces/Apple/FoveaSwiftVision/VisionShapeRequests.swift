// Fovea - requests on still pictures, by the names of Vision for Swift: shapes and codes.
// SPDX-License-Identifier: Apache-2.0
package import FoveaAppleVision
internal import FoveaStills

/// A request that finds rectangles: sheets, cards, screens, signs.
public struct DetectRectanglesRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision1 = 1

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [RectangleObservation]

  public var regionOfInterest = NormalizedRect.fullImage
  /// The least ratio of the shorter to the longer side.
  public var minimumAspectRatio: Float = 0.5
  public var maximumAspectRatio: Float = 1
  /// By how many degrees angles may differ from 90.
  public var quadratureToleranceDegrees: Float = 30
  /// The least length of a side, as a fraction of the picture's shorter side.
  public var minimumSize: Float = 0.2
  public var minimumConfidence: Float = 0
  /// The most rectangles, the most confident first; 0 for all.
  public var maximumObservations = 1
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .detectRectanglesRequest(revision) }

  package func found(in picture: VisionImage) throws -> [RectangleObservation] {
    var request = FoveaStills.DetectRectanglesRequest()
    request.minimumAspectRatio = minimumAspectRatio
    request.maximumAspectRatio = maximumAspectRatio
    request.quadratureToleranceDegrees = quadratureToleranceDegrees
    request.minimumSize = minimumSize
    request.minimumConfidence = minimumConfidence
    request.maximumObservations = maximumObservations
    return try picture.found(request, in: regionOfInterest.cgRect).map {
      RectangleObservation(
        sighting: Sighting(
          Quadrilateral($0), confidence: $0.confidence, by: descriptor, at: picture.time))
    }
  }
}

/// A request that finds the document in a picture.
public struct DetectDocumentSegmentationRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision1 = 1

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = DetectedDocumentObservation?

  public var regionOfInterest = NormalizedRect.fullImage
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .detectDocumentSegmentationRequest(revision) }

  package func found(in picture: VisionImage) throws -> DetectedDocumentObservation? {
    let request = FoveaStills.DetectDocumentSegmentationRequest()
    return try picture.found(request, in: regionOfInterest.cgRect).flatMap {
      DetectedDocumentObservation(
        Sighting($0, confidence: $0.confidence, by: descriptor, at: picture.time))
    }
  }
}

/// A request that finds codes and reads them.
public struct DetectBarcodesRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision4 = 4

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [BarcodeObservation]

  public var regionOfInterest = NormalizedRect.fullImage
  /// The kinds to look for; all that can be read unless set.
  public var symbologies = DetectBarcodesRequest.readable
  /// Whether the parts of a composite code are one result. Only linear parts are read.
  public var coalescesCompositeSymbologies = false
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision4 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .detectBarcodesRequest(revision) }
  /// The kinds that can be read.
  public var supportedSymbologies: [BarcodeSymbology] { Self.readable }

  private static let readable = FoveaStills.DetectBarcodesRequest.supportedSymbologies.compactMap {
    BarcodeSymbology(rawValue: $0.rawValue)
  }

  package func found(in picture: VisionImage) throws -> [BarcodeObservation] {
    var request = FoveaStills.DetectBarcodesRequest()
    request.symbologies = symbologies.compactMap { .init(rawValue: $0.rawValue) }
    request.coalescesCompositeSymbologies = coalescesCompositeSymbologies
    return try picture.found(request, in: regionOfInterest.cgRect).compactMap {
      BarcodeObservation(
        Sighting($0, confidence: $0.confidence, by: descriptor, at: picture.time))
    }
  }
}
