// Fovea - what a picture shows, by the network that a program chooses.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaGeometry
package import FoveaVision

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
    try VisionFailure.asNSError { try VisionModels.classes.request().classLabels }
  }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    try picture.classes(in: regionOfInterest).map {
      VNClassificationObservation(identifier: $0.identifier, confidence: $0.confidence)
    }
  }
}

extension VisionImage {
  /// The classes of the network of `VisionModels.imageClassification`, the most likely first.
  ///
  /// - Parameter action: How the region becomes the network's input; by default its center.
  package func classes(
    in region: CGRect, _ action: ImageCropAndScaleAction? = nil
  ) throws -> [ClassificationObservation] {
    var request = try VisionModels.classes.request()
    request.regionOfInterest = try NormalizedRect(regionOfInterest: region)
    if let action { request.cropAndScaleAction = action }
    return try request.perform(on: image(), orientation: orientation)
  }
}
