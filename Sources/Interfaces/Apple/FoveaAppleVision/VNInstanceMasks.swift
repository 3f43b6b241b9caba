// Fovea - objects with masks, by the network that a program chooses.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple

public let VNGenerateForegroundInstanceMaskRequestRevision1 = 1
public let VNGeneratePersonInstanceMaskRequestRevision1 = 1

/// A request for the masks of all objects, by the network of `VisionModels.instanceMasks`. Without it
/// the request fails with `dataUnavailable`.
public final class VNGenerateForegroundInstanceMaskRequest: VNImageBasedRequest {
  /// One observation of all objects; none where nothing was found.
  public var results: [VNInstanceMaskObservation]? { found as? [VNInstanceMaskObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    try InstanceMasks(in: picture, region: regionOfInterest) { _ in true }
      .map { [try VNInstanceMaskObservation($0)] } ?? []
  }
}

/// A request for the masks of people, by the network of `VisionModels.instanceMasks`, which has a
/// class "person". Without it the request fails with `dataUnavailable`.
public final class VNGeneratePersonInstanceMaskRequest: VNImageBasedRequest {
  /// One observation of all people; none where nobody was found.
  public var results: [VNInstanceMaskObservation]? { found as? [VNInstanceMaskObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    try InstanceMasks(ofPeopleIn: picture, region: regionOfInterest)
      .map { [try VNInstanceMaskObservation($0)] } ?? []
  }
}

/// The masks of objects, each of which has a number from 1. Masks have the size of the upright
/// picture.
public final class VNInstanceMaskObservation: VNObservation {
  /// The number of the object that each pixel belongs to; 0 for the background. Bytes. Where two
  /// masks overlap, it is that of the object with more confidence.
  public let instanceMask: CVPixelBuffer

  package let masks: InstanceMasks

  init(_ masks: InstanceMasks) throws(VisionFailure) {
    self.masks = masks
    instanceMask = try masks.numbered()
    super.init(confidence: masks.confidence)
  }

  /// The numbers of all objects, without the background.
  public var allInstances: IndexSet { masks.all }

  /// Which pixels belong to some of the objects: 1 for these, 0 for others, as floats.
  ///
  /// - Throws: An error of `VNErrorDomain` with the code `invalidArgument` for a number that no object
  ///   has.
  public func generateMask(forInstances instances: IndexSet) throws -> CVPixelBuffer {
    try VisionFailure.asNSError { try masks.mask(of: instances) }
  }

  /// The same in the size of the handler's picture, which is the one that was looked at.
  ///
  /// - Throws: As above, also for a picture of another size.
  public func generateScaledMaskForImage(
    forInstances instances: IndexSet, from requestHandler: VNImageRequestHandler
  ) throws -> CVPixelBuffer {
    try VisionFailure.asNSError { try masks.mask(of: instances, for: requestHandler.visionImage()) }
  }

  /// The pixels of some of the objects in blue, green, red and opacity. Others are transparent.
  ///
  /// - Parameter croppedToInstancesExtent: Whether the least rectangle around the pixels is made.
  /// - Throws: As above, also for a rectangle around objects that others cover.
  public func generateMaskedImage(
    ofInstances instances: IndexSet, from requestHandler: VNImageRequestHandler,
    croppedToInstancesExtent: Bool
  ) throws -> CVPixelBuffer {
    try VisionFailure.asNSError {
      try masks.pixels(
        of: instances, from: requestHandler.visionImage(), isCropped: croppedToInstancesExtent)
    }
  }
}
