// Fovea - rectangles, documents and text, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision
internal import FoveaGeometry
internal import FoveaStills

/// Something with four corners.
public struct RectangleObservation: VisionObservation, QuadrilateralProviding {
  let sighting: Sighting<Quadrilateral>

  public init(
    topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint,
    bottomLeft: NormalizedPoint
  ) {
    let corners = Quadrilateral(
      topLeft: .init(topLeft.cgPoint), topRight: .init(topRight.cgPoint),
      bottomRight: .init(bottomRight.cgPoint), bottomLeft: .init(bottomLeft.cgPoint))
    self.init(sighting: Sighting(corners))
  }

  public init(_ observation: VNRectangleObservation) {
    self.init(sighting: Sighting(observation.corners, of: observation))
  }

  init(sighting: Sighting<Quadrilateral>) { self.sighting = sighting }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var topLeft: NormalizedPoint { sighting.topLeft }
  public var topRight: NormalizedPoint { sighting.topRight }
  public var bottomRight: NormalizedPoint { sighting.bottomRight }
  public var bottomLeft: NormalizedPoint { sighting.bottomLeft }
}

/// A document, and which pixels belong to it.
public struct DetectedDocumentObservation: VisionObservation, QuadrilateralProviding {
  let sighting: Sighting<FoveaStills.DetectedDocumentObservation>
  public let globalSegmentationMask: PixelBufferObservation

  init?(_ sighting: Sighting<FoveaStills.DetectedDocumentObservation>) {
    guard let mask = sighting.value.mask() else { return nil }
    self.sighting = sighting
    globalSegmentationMask = PixelBufferObservation(nil, mask, by: sighting.descriptor)
  }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var topLeft: NormalizedPoint { sighting.topLeft }
  public var topRight: NormalizedPoint { sighting.topRight }
  public var bottomRight: NormalizedPoint { sighting.bottomRight }
  public var bottomLeft: NormalizedPoint { sighting.bottomLeft }
}

/// A line of text that was not read.
public struct TextObservation: VisionObservation, QuadrilateralProviding {
  let sighting: Sighting<FoveaStills.TextObservation>
  /// Around each character; `nil` unless the request asks for them.
  public let characterBoxes: [RectangleObservation]?

  public init(_ observation: VNTextObservation) {
    sighting = Sighting(observation.line, of: observation)
    characterBoxes = observation.characterBoxes?.map { RectangleObservation($0) }
  }

  init(_ sighting: Sighting<FoveaStills.TextObservation>) {
    self.sighting = sighting
    characterBoxes = sighting.value.characterBoxes?.map {
      RectangleObservation(
        sighting: Sighting($0, confidence: sighting.confidence, by: sighting.descriptor))
    }
  }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var topLeft: NormalizedPoint { sighting.topLeft }
  public var topRight: NormalizedPoint { sighting.topRight }
  public var bottomRight: NormalizedPoint { sighting.bottomRight }
  public var bottomLeft: NormalizedPoint { sighting.bottomLeft }
}

/// A line of text that was read.
public struct RecognizedTextObservation: VisionObservation, QuadrilateralProviding {
  let sighting: Sighting<FoveaStills.RecognizedTextObservation>

  public init(_ observation: VNRecognizedTextObservation) {
    self.init(sighting: Sighting(observation.line, of: observation))
  }

  init(sighting: Sighting<FoveaStills.RecognizedTextObservation>) { self.sighting = sighting }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var topLeft: NormalizedPoint { sighting.topLeft }
  public var topRight: NormalizedPoint { sighting.topRight }
  public var bottomRight: NormalizedPoint { sighting.bottomRight }
  public var bottomLeft: NormalizedPoint { sighting.bottomLeft }

  /// The best readings, at most 10, by falling confidence.
  public func topCandidates(_ maxCandidateCount: Int) -> [RecognizedText] {
    sighting.value.topCandidates(maxCandidateCount).map { RecognizedText(text: $0) }
  }

  /// What the line says most likely.
  public var transcript: String { topCandidates(1).first?.string ?? "" }
}

/// What a line of text may say.
public struct RecognizedText: Hashable, Codable, Sendable {
  let text: FoveaStills.RecognizedText

  public var string: String { text.string }
  public var confidence: Float { text.confidence }

  /// The least rectangle around a part of the text; `nil` where its place is not known.
  public func boundingBox(for range: Range<String.Index>) -> RectangleObservation? {
    text.boundingBox(for: range).map {
      RectangleObservation(sighting: Sighting($0, confidence: confidence))
    }
  }
}
