// Fovea - objects with masks, by the network that a program chooses.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaShapes
internal import FoveaVision

public let VNGenerateForegroundInstanceMaskRequestRevision1 = 1
public let VNGeneratePersonInstanceMaskRequestRevision1 = 1

/// A request for the masks of all objects, by the network of `VisionModels.instanceMasks`. Without it
/// the request fails with `dataUnavailable`.
public final class VNGenerateForegroundInstanceMaskRequest: VNImageBasedRequest {
  /// One observation of all objects; none where nothing was found.
  public var results: [VNInstanceMaskObservation]? { found as? [VNInstanceMaskObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    try VNInstanceMaskObservation.found(in: picture, regionOfInterest) { _ in true }
  }
}

/// A request for the masks of people, by the network of `VisionModels.instanceMasks`, which has a
/// class "person". Without it the request fails with `dataUnavailable`.
public final class VNGeneratePersonInstanceMaskRequest: VNImageBasedRequest {
  /// One observation of all people; none where nobody was found.
  public var results: [VNInstanceMaskObservation]? { found as? [VNInstanceMaskObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    try VNInstanceMaskObservation.found(in: picture, regionOfInterest) {
      $0.lowercased() == "person"
    }
  }
}

/// The masks of objects, each of which has a number from 1. Masks have the size of the upright
/// picture.
public final class VNInstanceMaskObservation: VNObservation {
  /// The number of the object that each pixel belongs to; 0 for the background. Bytes. Where two
  /// masks overlap, it is that of the object with more confidence.
  public let instanceMask: CVPixelBuffer

  private let masks: [InstanceMask]
  private let size: ImageSize
  /// What `instanceMask` holds, row by row.
  private let numbers: [UInt8]

  /// A byte holds this many numbers beside 0.
  private static let greatestCount = 255

  /// - Precondition: There is a mask, and all are of one picture.
  private init(_ masks: [InstanceMask], confidence: VNConfidence) throws(VisionFailure) {
    let size = masks[0].imageSize
    let numbers = Self.numbers(masks, size)
    (self.masks, self.size, self.numbers) = (masks, size, numbers)
    instanceMask = try MaskBuffer.filled(
      size.width, size.height, kCVPixelFormatType_OneComponent8
    ) { numbers[$1 * size.width + $0] }
    super.init(confidence: confidence)
  }

  private static func numbers(_ masks: [InstanceMask], _ size: ImageSize) -> [UInt8] {
    var numbers = [UInt8](repeating: 0, count: size.width * size.height)
    for (place, mask) in masks.enumerated().reversed() {
      for row in mask.rows {
        for stretch in mask.stretches(inRow: row) {
          for column in stretch { numbers[row * size.width + column] = UInt8(place + 1) }
        }
      }
    }
    return numbers
  }

  fileprivate static func found(
    in picture: VisionImage, _ region: CGRect, _ isWanted: (String) -> Bool
  ) throws -> [VNInstanceMaskObservation] {
    let request = try VisionModels.masks.request()
    guard request.findsMasks else {
      throw VisionFailure(
        .invalidModel, "the network of VisionModels.instanceMasks finds boxes without masks")
    }
    guard request.classLabels.contains(where: isWanted) else {
      throw VisionFailure(
        .invalidModel,
        "the network of VisionModels.instanceMasks has no class 'person'; it has "
          + request.classLabels.prefix(20).joined(separator: ", "))
    }
    let objects = try picture.found(request, in: region).filter {
      isWanted($0.bestLabel?.identifier ?? "") && $0.mask?.area ?? 0 > 0
    }.prefix(greatestCount)
    guard let best = objects.first else { return [] }
    return [
      try VNInstanceMaskObservation(objects.compactMap(\.mask), confidence: best.confidence)
    ]
  }

  /// The numbers of all objects, without the background.
  public var allInstances: IndexSet { IndexSet(integersIn: 1...masks.count) }

  /// Which pixels belong to some of the objects: 1 for these, 0 for others, as floats.
  ///
  /// - Throws: An error of `VNErrorDomain` with the code `invalidArgument` for a number that no object
  ///   has.
  public func generateMask(forInstances instances: IndexSet) throws -> CVPixelBuffer {
    let chosen = try chosen(instances)
    do {
      return try MaskBuffer.shares(
        width: size.width, height: size.height, format: kCVPixelFormatType_OneComponent32Float
      ) { chosen[$1 * size.width + $0] }
    } catch {
      throw error.nsError
    }
  }

  /// The same in the size of the handler's picture, which is the one that was looked at.
  ///
  /// - Throws: As above, also for a picture of another size.
  public func generateScaledMaskForImage(
    forInstances instances: IndexSet, from requestHandler: VNImageRequestHandler
  ) throws -> CVPixelBuffer {
    _ = try upright(requestHandler)
    return try generateMask(forInstances: instances)
  }

  /// The pixels of some of the objects in blue, green, red and opacity. Others are transparent.
  ///
  /// - Parameter croppedToInstancesExtent: Whether the least rectangle around the objects is made.
  /// - Throws: As above.
  public func generateMaskedImage(
    ofInstances instances: IndexSet, from requestHandler: VNImageRequestHandler,
    croppedToInstancesExtent: Bool
  ) throws -> CVPixelBuffer {
    let chosen = try chosen(instances)
    let picture = try upright(requestHandler)
    let wanted = instances.map { masks[$0 - 1] }
    let columns =
      croppedToInstancesExtent
      ? wanted.map(\.columns.lowerBound).min()!..<wanted.map(\.columns.upperBound).max()!
      : 0..<size.width
    let rows =
      croppedToInstancesExtent
      ? wanted.map(\.rows.lowerBound).min()!..<wanted.map(\.rows.upperBound).max()!
      : 0..<size.height
    do {
      return try MaskBuffer.filled(
        columns.count, rows.count, kCVPixelFormatType_32BGRA
      ) { x, y in
        let place = (y + rows.lowerBound) * size.width + x + columns.lowerBound
        guard chosen[place] else { return 0 as UInt32 }
        let rgb = picture.rgb[3 * place..<3 * place + 3].map(UInt32.init)
        return (rgb[2] | rgb[1] << 8 | rgb[0] << 16 | 0xFF00_0000).littleEndian
      }
    } catch {
      throw error.nsError
    }
  }

  /// Whether each pixel belongs to one of the objects.
  private func chosen(_ instances: IndexSet) throws -> [Bool] {
    guard !instances.isEmpty, instances.allSatisfy({ (1...masks.count).contains($0) }) else {
      throw VisionFailure(
        .invalidArgument, "instances are 1 to \(masks.count); choose some of allInstances"
      ).nsError
    }
    return numbers.map { instances.contains(Int($0)) }
  }

  /// The upright picture of a handler.
  private func upright(_ handler: VNImageRequestHandler) throws -> Image {
    do {
      let picture = try handler.visionImage()
      let image = try picture.image().imageSource.uprightImage(picture.orientation)
      guard ImageSize(width: image.width, height: image.height) == size else {
        throw VisionFailure(
          .invalidArgument,
          "the picture is \(image.width) x \(image.height), and the masks are for \(size)")
      }
      return image
    } catch {
      throw VisionFailure(error).nsError
    }
  }
}
