// Fovea - what requests find.
// SPDX-License-Identifier: Apache-2.0
public import CoreML
public import FoveaApple
internal import FoveaGeometry
package import FoveaStills
internal import FoveaVision

/// Something that a request found.
open class VNObservation: NSObject, NSCopying {
  public let uuid: UUID
  public let confidence: VNConfidence
  public let requestRevision: Int
  /// The time of the frame; `nil` for a picture without one.
  package final var frameTime: CMTimeRange?

  package init(confidence: VNConfidence, uuid: UUID = .next(), requestRevision: Int = 1) {
    (self.uuid, self.confidence) = (uuid, confidence)
    self.requestRevision = requestRevision
    super.init()
  }

  /// When it was seen: the time of a sample buffer, zero for pictures without a time.
  public var timeRange: CMTimeRange { frameTime ?? .zero }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String {
    "<\(type(of: self))> \(uuid) confidence=\(confidence)"
  }
}

/// Something in a rectangle: fractions of the upright picture, from the lower left.
open class VNDetectedObjectObservation: VNObservation {
  public let boundingBox: CGRect

  public convenience init(boundingBox: CGRect) {
    self.init(boundingBox, confidence: 1)
  }

  public convenience init(requestRevision: Int, boundingBox: CGRect) {
    self.init(boundingBox, confidence: 1, requestRevision: requestRevision)
  }

  package init(
    _ boundingBox: CGRect, confidence: VNConfidence, uuid: UUID = .next(),
    requestRevision: Int = 1
  ) {
    self.boundingBox = boundingBox
    super.init(confidence: confidence, uuid: uuid, requestRevision: requestRevision)
  }

  /// Which pixels belong to a document; `nil` for everything else.
  open var globalSegmentationMask: VNPixelBufferObservation? { nil }

  open override var description: String { "\(super.description) boundingBox=\(boundingBox)" }
}

/// An object with its classes, the most likely first.
public final class VNRecognizedObjectObservation: VNDetectedObjectObservation {
  public let labels: [VNClassificationObservation]

  init(_ object: RecognizedObjectObservation) {
    labels = object.labels.map {
      VNClassificationObservation(identifier: $0.identifier, confidence: $0.confidence)
    }
    super.init(CGRect(object.boundingBox), confidence: object.confidence)
  }
}

/// A class that an object or a picture may belong to.
public final class VNClassificationObservation: VNObservation {
  public let identifier: String

  init(identifier: String, confidence: VNConfidence) {
    self.identifier = identifier
    super.init(confidence: confidence)
  }

  /// Models do not tell how precise they are.
  public var hasPrecisionRecallCurve: Bool { false }

  public func hasMinimumRecall(_ minimumRecall: Float, forPrecision precision: Float) -> Bool {
    false
  }

  public func hasMinimumPrecision(_ minimumPrecision: Float, forRecall recall: Float) -> Bool {
    false
  }

  public override var description: String { "\(super.description) \"\(identifier)\"" }
}

/// An output of a model.
public final class VNCoreMLFeatureValueObservation: VNObservation {
  public let featureName: String
  public let featureValue: MLFeatureValue

  init(name: String, value: MLFeatureValue) {
    (featureName, featureValue) = (name, value)
    super.init(confidence: 1)
  }
}

/// A picture that a model made.
public final class VNPixelBufferObservation: VNObservation {
  public let pixelBuffer: CVPixelBuffer
  public let featureName: String?

  init(name: String?, pixelBuffer: CVPixelBuffer) {
    (featureName, self.pixelBuffer) = (name, pixelBuffer)
    super.init(confidence: 1)
  }
}

/// Something with four corners.
open class VNRectangleObservation: VNDetectedObjectObservation {
  package let corners: Quadrilateral

  public convenience init(
    requestRevision: Int, topLeft: CGPoint, bottomLeft: CGPoint, bottomRight: CGPoint,
    topRight: CGPoint
  ) {
    let corners = Quadrilateral(
      topLeft: NormalizedPoint(topLeft), topRight: NormalizedPoint(topRight),
      bottomRight: NormalizedPoint(bottomRight), bottomLeft: NormalizedPoint(bottomLeft))
    self.init(corners, confidence: 1, requestRevision: requestRevision)
  }

  package init(
    _ corners: Quadrilateral, confidence: VNConfidence, uuid: UUID = .next(),
    requestRevision: Int = 1
  ) {
    self.corners = corners
    super.init(
      CGRect(corners.boundingBox), confidence: confidence, uuid: uuid,
      requestRevision: requestRevision)
  }

  public var topLeft: CGPoint { CGPoint(corners.topLeft) }
  public var topRight: CGPoint { CGPoint(corners.topRight) }
  public var bottomLeft: CGPoint { CGPoint(corners.bottomLeft) }
  public var bottomRight: CGPoint { CGPoint(corners.bottomRight) }
}

/// A face.
public final class VNFaceObservation: VNDetectedObjectObservation {
  package let face: FaceObservation
  public let landmarks: VNFaceLandmarks2D?
  public let faceCaptureQuality: Float? = nil

  public convenience init(
    requestRevision: Int, boundingBox: CGRect, roll: NSNumber?, yaw: NSNumber?, pitch: NSNumber?
  ) {
    var face = FaceObservation(boundingBox: NormalizedRect(boundingBox))
    (face.roll, face.yaw, face.pitch) = (roll?.doubleValue, yaw?.doubleValue, pitch?.doubleValue)
    self.init(face)
  }

  package init(_ face: FaceObservation) {
    self.face = face
    landmarks = face.landmarks.map { VNFaceLandmarks2D($0) }
    super.init(CGRect(face.boundingBox), confidence: face.confidence)
  }

  public var roll: NSNumber? { face.roll.map { NSNumber(value: $0) } }
  public var yaw: NSNumber? { face.yaw.map { NSNumber(value: $0) } }
  public var pitch: NSNumber? { face.pitch.map { NSNumber(value: $0) } }
}
