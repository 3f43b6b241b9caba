// Fovea - how alike pictures are, by the network that a program chooses.
// SPDX-License-Identifier: Apache-2.0
internal import CoreML
public import FoveaApple
internal import FoveaGeometry
internal import FoveaMaps
internal import FoveaVision

public let VNGenerateImageFeaturePrintRequestRevision1 = 1
public let VNGenerateImageFeaturePrintRequestRevision2 = 2

public enum VNElementType: UInt, Sendable {
  case unknown = 0
  case float = 1
  case double = 2
}

/// A request for numbers by which pictures are compared, by the network of
/// `VisionModels.featurePrint`. Without it the request fails with `dataUnavailable`.
public final class VNGenerateImageFeaturePrintRequest: VNImageBasedRequest {
  public override class var supportedRevisions: IndexSet { IndexSet(integersIn: 1...2) }

  public var imageCropAndScaleOption = VNImageCropAndScaleOption.scaleFill
  public var results: [VNFeaturePrintObservation]? { found as? [VNFeaturePrintObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = try VisionModels.prints.request()
    request.regionOfInterest = try NormalizedRect(regionOfInterest: regionOfInterest)
    if let action = ImageCropAndScaleAction(visionOption: imageCropAndScaleOption.rawValue) {
      request.cropAndScaleAction = action
    }
    let numbers = try request.perform(on: picture.image(), orientation: picture.orientation)
    return [VNFeaturePrintObservation(numbers.values)]
  }
}

/// Numbers by which pictures are compared.
public final class VNFeaturePrintObservation: VNObservation {
  private let values: [Float]

  init(_ values: [Float]) {
    self.values = values
    super.init(confidence: 1)
  }

  public var elementType: VNElementType { .float }
  public var elementCount: Int { values.count }
  /// The numbers, four bytes each.
  public var data: Data { values.withUnsafeBytes { Data($0) } }

  /// Writes the root of the sum of squared differences to another print: 0 for the same picture.
  ///
  /// - Throws: An error of `VNErrorDomain` with the code `invalidArgument` for a print of another
  ///   network.
  public func computeDistance(
    _ outDistance: UnsafeMutablePointer<Float>, to featurePrint: VNFeaturePrintObservation
  ) throws {
    guard featurePrint.values.count == values.count else {
      throw VisionFailure(
        .invalidArgument,
        "the prints have \(values.count) and \(featurePrint.values.count) numbers; compare those "
          + "of one network"
      ).nsError
    }
    let sum = zip(values, featurePrint.values).reduce(0.0) { sum, pair in
      sum + (Double(pair.0) - Double(pair.1)) * (Double(pair.0) - Double(pair.1))
    }
    outDistance.pointee = Float(sum.squareRoot())
  }
}
