// Fovea - rectangles, documents and text, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision

/// Something with four corners.
public struct RectangleObservation: VisionObservation, QuadrilateralProviding {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let topLeft, topRight, bottomRight, bottomLeft: NormalizedPoint

  public init(
    topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint,
    bottomLeft: NormalizedPoint
  ) {
    (uuid, confidence, originatingRequestDescriptor) = (UUID(), 1, nil)
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
  }

  public init(_ observation: VNRectangleObservation) { self.init(observation, nil) }

  init(_ observation: VNRectangleObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    originatingRequestDescriptor = descriptor
    (topLeft, topRight, bottomRight, bottomLeft) = observation.corners
  }
}

extension VNRectangleObservation {
  /// The corners clockwise from the upper left one.
  var corners: (NormalizedPoint, NormalizedPoint, NormalizedPoint, NormalizedPoint) {
    (
      NormalizedPoint(normalizedPoint: topLeft), NormalizedPoint(normalizedPoint: topRight),
      NormalizedPoint(normalizedPoint: bottomRight), NormalizedPoint(normalizedPoint: bottomLeft)
    )
  }
}

/// A document, and which pixels belong to it.
public struct DetectedDocumentObservation: VisionObservation, QuadrilateralProviding {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let topLeft, topRight, bottomRight, bottomLeft: NormalizedPoint
  public let globalSegmentationMask: PixelBufferObservation

  init?(_ observation: VNRectangleObservation, _ descriptor: RequestDescriptor?) {
    guard let mask = observation.globalSegmentationMask else { return nil }
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    originatingRequestDescriptor = descriptor
    (topLeft, topRight, bottomRight, bottomLeft) = observation.corners
    globalSegmentationMask = PixelBufferObservation(mask, descriptor)
  }
}

/// A line of text that was not read.
public struct TextObservation: VisionObservation, QuadrilateralProviding {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let topLeft, topRight, bottomRight, bottomLeft: NormalizedPoint
  /// Around each character; `nil` unless the request asks for them.
  public let characterBoxes: [RectangleObservation]?

  public init(_ observation: VNTextObservation) { self.init(observation, nil) }

  init(_ observation: VNTextObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    originatingRequestDescriptor = descriptor
    (topLeft, topRight, bottomRight, bottomLeft) = observation.corners
    characterBoxes = observation.characterBoxes?.map { RectangleObservation($0, descriptor) }
  }
}

/// A line of text that was read.
public struct RecognizedTextObservation: VisionObservation, QuadrilateralProviding {
  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let topLeft, topRight, bottomRight, bottomLeft: NormalizedPoint
  private let candidates: [RecognizedText]

  public init(_ observation: VNRecognizedTextObservation) { self.init(observation, nil) }

  init(_ observation: VNRecognizedTextObservation, _ descriptor: RequestDescriptor?) {
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    originatingRequestDescriptor = descriptor
    (topLeft, topRight, bottomRight, bottomLeft) = observation.corners
    candidates = observation.topCandidates(10).map { RecognizedText($0) }
  }

  /// The best readings, at most 10, by falling confidence.
  public func topCandidates(_ maxCandidateCount: Int) -> [RecognizedText] {
    Array(candidates.prefix(max(0, maxCandidateCount)))
  }

  /// What the line says most likely.
  public var transcript: String { candidates.first?.string ?? "" }
}

/// What a line of text may say.
public struct RecognizedText: Hashable, Codable, Sendable {
  public let string: String
  public let confidence: Float
  private let places: VNRecognizedText.Places

  init(_ text: VNRecognizedText) {
    (string, confidence, places) = (text.string, text.confidence, text.places)
  }

  /// The least rectangle around a part of the text; `nil` where its place is not known.
  public func boundingBox(for range: Range<String.Index>) -> RectangleObservation? {
    places.boundingBox(for: range).map { RectangleObservation($0) }
  }
}
