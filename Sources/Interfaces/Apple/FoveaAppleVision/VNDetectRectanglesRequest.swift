// Fovea - requests that find rectangles and documents.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple
internal import FoveaGeometry
internal import FoveaStills

/// A request that finds rectangles: sheets, cards, screens, signs.
public final class VNDetectRectanglesRequest: VNImageBasedRequest {
  /// The least ratio of the shorter to the longer side.
  public var minimumAspectRatio: VNAspectRatio = 0.5
  public var maximumAspectRatio: VNAspectRatio = 1
  /// By how many degrees angles may differ from 90.
  public var quadratureTolerance: VNDegrees = 30
  /// The least length of a side, as a fraction of the picture's shorter side.
  public var minimumSize: Float = 0.2
  public var minimumConfidence: VNConfidence = 0
  /// The most rectangles, the most confident first; 0 for all.
  public var maximumObservations = 1

  public var results: [VNRectangleObservation]? { found as? [VNRectangleObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = FoveaStills.DetectRectanglesRequest()
    request.regionOfInterest = try region()
    request.minimumAspectRatio = minimumAspectRatio
    request.maximumAspectRatio = maximumAspectRatio
    request.quadratureToleranceDegrees = quadratureTolerance
    request.minimumSize = minimumSize
    request.minimumConfidence = minimumConfidence
    request.maximumObservations = maximumObservations
    return try picture.handler().perform(request).map {
      VNRectangleObservation(VisionCorners($0), confidence: $0.confidence)
    }
  }
}

/// A request that finds the document in a picture, which it has no more than one of.
public final class VNDetectDocumentSegmentationRequest: VNImageBasedRequest {
  public var results: [VNRectangleObservation]? { found as? [VNRectangleObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = FoveaStills.DetectDocumentSegmentationRequest()
    request.regionOfInterest = try region()
    return try picture.handler().perform(request).map { [DocumentObservation($0)] } ?? []
  }
}

/// A document. Its mask is drawn from its corners when somebody asks for it.
private final class DocumentObservation: VNRectangleObservation {
  private let document: FoveaStills.DetectedDocumentObservation
  private static let maskSide = 256

  init(_ document: FoveaStills.DetectedDocumentObservation) {
    self.document = document
    let corners = VisionCorners(document)
    super.init(
      topLeft: corners.topLeft, topRight: corners.topRight, bottomLeft: corners.bottomLeft,
      bottomRight: corners.bottomRight, confidence: document.confidence)
  }

  override var globalSegmentationMask: VNPixelBufferObservation? {
    let side = Self.maskSide
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, side, side, kCVPixelFormatType_OneComponent32Float, nil, &made)
    guard let made else { return nil }
    let shares = document.segmentationMask(width: side, height: side)
    let (base, rowBytes) = (made.base, made.rowBytes)
    for y in 0..<side {
      for x in 0..<side {
        base.storeBytes(
          of: shares[y * side + x], toByteOffset: y * rowBytes + 4 * x, as: Float.self)
      }
    }
    return VNPixelBufferObservation(name: nil, pixelBuffer: made)
  }
}

/// Four corners as points of Core Graphics.
package struct VisionCorners {
  package let topLeft, topRight, bottomLeft, bottomRight: CGPoint

  init(_ corners: some FoveaStills.QuadrilateralProviding) {
    topLeft = CGPoint(x: corners.topLeft.x, y: corners.topLeft.y)
    topRight = CGPoint(x: corners.topRight.x, y: corners.topRight.y)
    bottomLeft = CGPoint(x: corners.bottomLeft.x, y: corners.bottomLeft.y)
    bottomRight = CGPoint(x: corners.bottomRight.x, y: corners.bottomRight.y)
  }
}

extension VNRectangleObservation {
  convenience init(_ corners: VisionCorners, confidence: VNConfidence) {
    self.init(
      topLeft: corners.topLeft, topRight: corners.topRight, bottomLeft: corners.bottomLeft,
      bottomRight: corners.bottomRight, confidence: confidence)
  }
}
