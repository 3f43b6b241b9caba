// Fovea - what requests find.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaCoreML

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

  package init(
    _ boundingBox: CGRect, confidence: VNConfidence, labels: [VNClassificationObservation]
  ) {
    self.labels = labels
    super.init(boundingBox, confidence: confidence)
  }
}

/// A class that an object or a picture may belong to.
public final class VNClassificationObservation: VNObservation {
  public let identifier: String

  package init(identifier: String, confidence: VNConfidence) {
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

  package init(name: String, value: MLFeatureValue) {
    (featureName, featureValue) = (name, value)
    super.init(confidence: 1)
  }
}

/// A picture that a model made.
public final class VNPixelBufferObservation: VNObservation {
  public let pixelBuffer: CVPixelBuffer
  public let featureName: String?

  package init(name: String?, pixelBuffer: CVPixelBuffer) {
    (featureName, self.pixelBuffer) = (name, pixelBuffer)
    super.init(confidence: 1)
  }
}

/// Something with four corners.
open class VNRectangleObservation: VNDetectedObjectObservation {
  public let topLeft, topRight, bottomLeft, bottomRight: CGPoint

  public convenience init(
    requestRevision: Int, topLeft: CGPoint, bottomLeft: CGPoint, bottomRight: CGPoint,
    topRight: CGPoint
  ) {
    self.init(
      topLeft: topLeft, topRight: topRight, bottomLeft: bottomLeft, bottomRight: bottomRight,
      confidence: 1, requestRevision: requestRevision)
  }

  package init(
    topLeft: CGPoint, topRight: CGPoint, bottomLeft: CGPoint, bottomRight: CGPoint,
    confidence: VNConfidence, uuid: UUID = .next(), requestRevision: Int = 1
  ) {
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomLeft, self.bottomRight) = (bottomLeft, bottomRight)
    let corners = [topLeft, topRight, bottomLeft, bottomRight]
    let (xs, ys) = (corners.map(\.x), corners.map(\.y))
    let (left, bottom) = (xs.min() ?? 0, ys.min() ?? 0)
    super.init(
      CGRect(
        x: left, y: bottom, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - bottom),
      confidence: confidence, uuid: uuid, requestRevision: requestRevision)
  }
}

/// A face.
public final class VNFaceObservation: VNDetectedObjectObservation {
  public let roll, yaw, pitch: NSNumber?
  public let landmarks: VNFaceLandmarks2D?
  public let faceCaptureQuality: Float?

  public convenience init(
    requestRevision: Int, boundingBox: CGRect, roll: NSNumber?, yaw: NSNumber?, pitch: NSNumber?
  ) {
    self.init(
      boundingBox, confidence: 1, roll: roll?.doubleValue, yaw: yaw?.doubleValue,
      pitch: pitch?.doubleValue)
  }

  package init(
    _ boundingBox: CGRect, confidence: VNConfidence, roll: Double? = nil, yaw: Double? = nil,
    pitch: Double? = nil, landmarks: VNFaceLandmarks2D? = nil, uuid: UUID = .next()
  ) {
    self.roll = roll.map { NSNumber(value: $0) }
    self.yaw = yaw.map { NSNumber(value: $0) }
    self.pitch = pitch.map { NSNumber(value: $0) }
    self.landmarks = landmarks
    faceCaptureQuality = nil
    super.init(boundingBox, confidence: confidence, uuid: uuid)
  }
}
