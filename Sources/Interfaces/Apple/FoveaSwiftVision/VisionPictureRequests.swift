// Fovea - requests on a picture as a whole, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision
public import FoveaGeometry
internal import FoveaVision

/// A request that names what a picture shows, by the network of `VisionModels.imageClassification`.
/// Without it the request fails with `dataUnavailable`.
public struct ClassifyImageRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision2 = 2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = [ClassificationObservation]

  public var regionOfInterest = NormalizedRect.fullImage
  public var cropAndScaleAction = ImageCropAndScaleAction.centerCrop
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .classifyImageRequest(revision) }
  /// The classes that the network knows; none without a network.
  public var supportedIdentifiers: [String] {
    (try? VisionModels.classes.request().classLabels) ?? []
  }

  package func found(in picture: VisionImage) throws -> [ClassificationObservation] {
    try picture.classes(in: regionOfInterest.cgRect, cropAndScaleAction).map {
      ClassificationObservation(
        sighting: Sighting(
          $0.identifier, confidence: $0.confidence, by: descriptor, at: picture.time))
    }
  }
}

/// A request for numbers by which pictures are compared, by the network of
/// `VisionModels.featurePrint`. Without it the request fails with `dataUnavailable`.
public struct GenerateImageFeaturePrintRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision2 = 2

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public typealias Result = FeaturePrintObservation

  public var regionOfInterest = NormalizedRect.fullImage
  public var cropAndScaleAction = ImageCropAndScaleAction.scaleToFill
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .generateImageFeaturePrintRequest(revision) }

  package func found(in picture: VisionImage) throws -> FeaturePrintObservation {
    let numbers = try picture.featurePrint(in: regionOfInterest.cgRect, cropAndScaleAction)
    return FeaturePrintObservation(
      sighting: Sighting(numbers, by: descriptor, at: picture.time))
  }
}

/// Numbers by which pictures are compared.
public struct FeaturePrintObservation: VisionObservation {
  public enum ElementType: Codable, Hashable, Sendable, CaseIterable {
    case float, double
  }

  let sighting: Sighting<[Float]>

  public init(_ observation: VNFeaturePrintObservation) {
    self.init(sighting: Sighting(observation.values, of: observation))
  }

  init(sighting: Sighting<[Float]>) { self.sighting = sighting }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var elementType: ElementType { .float }
  public var elementCount: Int { sighting.value.count }
  /// The numbers, four bytes each.
  public var data: Data { sighting.value.withUnsafeBytes { Data($0) } }

  /// The root of the sum of squared differences to another print: 0 for the same picture.
  ///
  /// - Throws: `VisionError.invalidArgument` for a print of another network.
  public func distance(to featurePrint: FeaturePrintObservation) throws -> Double {
    try VisionError.named {
      try FeatureDistance.between(sighting.value, featurePrint.sighting.value)
    }
  }
}
