// Fovea - what a picture shows, by the network that a program chooses.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaGeometry
internal import FoveaVision

public let VNClassifyImageRequestRevision1 = 1
public let VNClassifyImageRequestRevision2 = 2

/// A request that names what a picture shows, by the network of `VisionModels.imageClassification`.
/// Without it the request fails with `dataUnavailable`.
public final class VNClassifyImageRequest: VNImageBasedRequest {
  public override class var supportedRevisions: IndexSet { IndexSet(integersIn: 1...2) }

  /// All classes of the network, the most likely first.
  public var results: [VNClassificationObservation]? { found as? [VNClassificationObservation] }

  /// The classes that the network knows.
  public func supportedIdentifiers() throws -> [String] {
    do {
      return try VisionModels.classes.request().classLabels
    } catch {
      throw VisionFailure(error).nsError
    }
  }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = try VisionModels.classes.request()
    request.regionOfInterest = try NormalizedRect(regionOfInterest: regionOfInterest)
    return try request.perform(on: picture.image(), orientation: picture.orientation).map {
      VNClassificationObservation(identifier: $0.identifier, confidence: $0.confidence)
    }
  }
}
