// Fovea - requests that find rectangles and documents.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple
package import FoveaStills

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
    request.minimumAspectRatio = minimumAspectRatio
    request.maximumAspectRatio = maximumAspectRatio
    request.quadratureToleranceDegrees = quadratureTolerance
    request.minimumSize = minimumSize
    request.minimumConfidence = minimumConfidence
    request.maximumObservations = maximumObservations
    return try picture.found(request, in: regionOfInterest).map {
      VNRectangleObservation(Quadrilateral($0), confidence: $0.confidence)
    }
  }
}

/// A request that finds the document in a picture, which it has no more than one of.
public final class VNDetectDocumentSegmentationRequest: VNImageBasedRequest {
  public var results: [VNRectangleObservation]? { found as? [VNRectangleObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    let request = FoveaStills.DetectDocumentSegmentationRequest()
    return try picture.found(request, in: regionOfInterest).map { [DocumentObservation($0)] } ?? []
  }
}

/// A document. Its mask is drawn from its corners when somebody asks for it.
private final class DocumentObservation: VNRectangleObservation {
  private let document: FoveaStills.DetectedDocumentObservation

  init(_ document: FoveaStills.DetectedDocumentObservation) {
    self.document = document
    super.init(Quadrilateral(document), confidence: document.confidence)
  }

  override var globalSegmentationMask: VNPixelBufferObservation? {
    document.mask().map { VNPixelBufferObservation(name: nil, pixelBuffer: $0) }
  }
}

extension FoveaStills.DetectedDocumentObservation {
  /// Which pixels belong to the document, drawn from its corners; `nil` without memory.
  package func mask() -> CVPixelBuffer? {
    let side = 256
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, side, side, kCVPixelFormatType_OneComponent32Float, nil, &made)
    guard let made else { return nil }
    let shares = segmentationMask(width: side, height: side)
    let (base, rowBytes) = (made.base, made.rowBytes)
    for y in 0..<side {
      for x in 0..<side {
        base.storeBytes(
          of: shares[y * side + x], toByteOffset: y * rowBytes + 4 * x, as: Float.self)
      }
    }
    return made
  }
}
