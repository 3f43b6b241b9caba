// Fovea - objects with masks, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision

/// A request for the masks of all objects, by the network of `VisionModels.instanceMasks`. Without it
/// the request fails with `dataUnavailable`.
public struct GenerateForegroundInstanceMaskRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision1 = 1

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// One observation of all; `nil` where nothing was found.
  public typealias Result = InstanceMaskObservation?

  public var regionOfInterest = NormalizedRect.fullImage
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .generateForegroundInstanceMaskRequest(revision) }

  package func found(in picture: VisionImage) throws -> InstanceMaskObservation? {
    try InstanceMasks(in: picture, region: regionOfInterest.cgRect) { _ in true }
      .map { InstanceMaskObservation($0, by: descriptor, at: picture.time) }
  }
}

/// A request for the masks of people, by the network of `VisionModels.instanceMasks`, which has a
/// class "person". Without it the request fails with `dataUnavailable`.
public struct GeneratePersonInstanceMaskRequest: ImageProcessingRequest, PictureRequest {
  public enum Revision: Int, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case revision1 = 1

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// One observation of all; `nil` where nothing was found.
  public typealias Result = InstanceMaskObservation?

  public var regionOfInterest = NormalizedRect.fullImage
  public let revision: Revision

  public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision1 }

  public static let supportedRevisions = Revision.allCases

  public var descriptor: RequestDescriptor { .generatePersonInstanceMaskRequest(revision) }

  package func found(in picture: VisionImage) throws -> InstanceMaskObservation? {
    try InstanceMasks(ofPeopleIn: picture, region: regionOfInterest.cgRect)
      .map { InstanceMaskObservation($0, by: descriptor, at: picture.time) }
  }
}

/// The masks of objects, each of which has a number from 1. Masks have the size of the upright
/// picture.
public struct InstanceMaskObservation: VisionObservation {
  let sighting: Sighting<InstanceMasks>

  public init(_ observation: VNInstanceMaskObservation) {
    sighting = Sighting(observation.masks, of: observation)
  }

  init(_ masks: InstanceMasks, by descriptor: RequestDescriptor, at time: CMTimeRange?) {
    sighting = Sighting(masks, confidence: masks.confidence, by: descriptor, at: time)
  }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  private var masks: InstanceMasks { sighting.value }

  /// The number of the object that each pixel belongs to, in bytes; 0 for the background. Where two
  /// masks overlap, it is that of the object with more confidence.
  public var instanceMask: PixelBufferObservation {
    PixelBufferObservation(
      nil, StoredPixels(width: masks.width, height: masks.height, bytes: masks.numbers),
      by: originatingRequestDescriptor, at: timeRange)
  }

  /// The numbers of all objects, without the background.
  public var allInstances: IndexSet { masks.all }

  /// The object at a point; empty for the background.
  public func instanceAtPoint(_ point: NormalizedPoint) -> IndexSet {
    masks.instances(at: point.cgPoint)
  }

  /// Which pixels belong to some of the objects: 1 for these, 0 for others, as floats.
  ///
  /// - Throws: `VisionError.invalidArgument` for a number that no object has.
  public func generateMask(for instances: IndexSet) throws -> CVPixelBuffer {
    try VisionError.named { try masks.mask(of: instances) }
  }

  /// The same in the size of the handler's picture, which is the one that was looked at.
  ///
  /// - Throws: As above, also for a picture of another size.
  public func generateScaledMask(
    for instances: IndexSet, scaledToImageFrom requestHandler: ImageRequestHandler
  ) throws -> CVPixelBuffer {
    try VisionError.named {
      try requestHandler.withPicture { try masks.mask(of: instances, for: $0) }
    }
  }

  /// The pixels of some of the objects in blue, green, red and opacity. Others are transparent.
  ///
  /// - Parameter croppedToInstancesExtent: Whether the least rectangle around the pixels is made.
  /// - Throws: As above, also for a rectangle around objects that others cover.
  public func generateMaskedImage(
    for instances: IndexSet, imageFrom requestHandler: ImageRequestHandler,
    croppedToInstancesExtent: Bool = false
  ) throws -> CVPixelBuffer {
    try VisionError.named {
      try requestHandler.withPicture {
        try masks.pixels(of: instances, from: $0, isCropped: croppedToInstancesExtent)
      }
    }
  }
}
