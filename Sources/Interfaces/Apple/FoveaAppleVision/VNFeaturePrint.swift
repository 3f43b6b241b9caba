// Fovea - how alike pictures are, by the network that a program chooses.
// SPDX-License-Identifier: Apache-2.0
internal import CoreML
public import FoveaApple
package import FoveaGeometry
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
    let action = ImageCropAndScaleAction(visionOption: imageCropAndScaleOption.rawValue)
    return [
      VNFeaturePrintObservation(try picture.featurePrint(in: regionOfInterest, action))
    ]
  }
}

extension VisionImage {
  /// The numbers of the network of `VisionModels.featurePrint`.
  package func featurePrint(
    in region: CGRect, _ action: ImageCropAndScaleAction?
  ) throws -> [Float] {
    var request = try VisionModels.prints.request()
    request.regionOfInterest = try NormalizedRect(regionOfInterest: region)
    if let action { request.cropAndScaleAction = action }
    return try request.perform(on: image(), orientation: orientation).values
  }
}

/// How far prints are apart.
package enum FeatureDistance {
  /// The root of the sum of squared differences: 0 for the same picture.
  ///
  /// - Throws: `.invalidArgument` for prints of different networks.
  package static func between(_ one: [Float], _ other: [Float]) throws(VisionFailure) -> Double {
    guard one.count == other.count else {
      throw VisionFailure(
        .invalidArgument,
        "the prints have \(one.count) and \(other.count) numbers; compare those of one network")
    }
    return zip(one, other).reduce(0.0) { sum, pair in
      sum + (Double(pair.0) - Double(pair.1)) * (Double(pair.0) - Double(pair.1))
    }.squareRoot()
  }
}

/// Numbers by which pictures are compared.
public final class VNFeaturePrintObservation: VNObservation {
  package let values: [Float]

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
    outDistance.pointee = try VisionFailure.asNSError {
      Float(try FeatureDistance.between(values, featurePrint.values))
    }
  }
}
