// Fovea - which pixels are people, by the network that a program chooses.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaGeometry
internal import FoveaMaps
internal import FoveaVision

public let VNGeneratePersonSegmentationRequestRevision1 = 1

/// A request for the pixels of people, by the network of `VisionModels.personSegmentation`. Without it
/// the request fails with `dataUnavailable`.
public final class VNGeneratePersonSegmentationRequest: VNImageBasedRequest {
  public enum QualityLevel: UInt, Sendable {
    case accurate = 0
    case balanced = 1
    case fast = 2
  }

  /// What the network of the program makes of it: nothing, as it has one quality.
  public var qualityLevel = QualityLevel.accurate
  /// `kCVPixelFormatType_OneComponent8` (255 for people), or `OneComponent16Half` and
  /// `OneComponent32Float` (1 for people).
  public var outputPixelFormat = kCVPixelFormatType_OneComponent8
  /// One mask of the upright picture's size.
  public var results: [VNPixelBufferObservation]? { found as? [VNPixelBufferObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    let people = try picture.people(in: regionOfInterest, format: outputPixelFormat)
    return [VNPixelBufferObservation(name: nil, pixelBuffer: people)]
  }
}

extension VisionImage {
  /// Which pixels are people, by the network of `VisionModels.personSegmentation`: a mask of the
  /// upright picture's size.
  package func people(in region: CGRect, format: OSType) throws -> CVPixelBuffer {
    try MaskBuffer.check(format)
    var request = try VisionModels.people.request()
    request.regionOfInterest = try NormalizedRect(regionOfInterest: region)
    let person = try Self.person(among: request.classLabels)
    let map = try request.perform(on: image(), orientation: orientation)
    return try MaskBuffer.shares(width: map.width, height: map.height, format: format) {
      map.classes[$1 * map.width + $0] == person
    }
  }

  /// The class of people.
  private static func person(among labels: [String]) throws(VisionFailure) -> UInt16 {
    if let index = labels.firstIndex(where: { $0.lowercased() == "person" }) {
      return UInt16(index)
    }
    guard labels.count == 2 else {
      throw VisionFailure(
        .invalidModel,
        "the network of VisionModels.personSegmentation has no class 'person'; it has "
          + labels.prefix(20).joined(separator: ", "))
    }
    return 1
  }
}
