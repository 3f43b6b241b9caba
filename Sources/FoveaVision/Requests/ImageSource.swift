// Fovea - where an image comes from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime

/// Where an image comes from.
enum ImageSource: Sendable {
  /// A JPEG, PNG or WebP file.
  case path(String)
  /// The bytes of one.
  case bytes([UInt8])
  /// A decoded image.
  case image(Image)
  /// Pixels of any layout.
  case pixels([UInt8], PixelLayout)

  /// The image as stored.
  ///
  /// - Parameters:
  ///   - orientation: How to turn it; `nil` for what it says itself.
  ///   - requests: Who will look at it. A JPEG is decoded at the least scale that gives each of them
  ///     a pixel for every pixel of its input, if all of them allow it.
  /// - Throws: `.image`, `.invalidRequest`.
  func load(
    orientation: ImageOrientation?, for requests: [DetectObjectsRequest]
  ) throws(DetectionError) -> StoredImage {
    let file: ImageFile
    do throws(ImageError) {
      switch self {
      case .path(let path):
        file = try ImageFile(contentsOf: path, limits: ImageLimits(sharedBy: requests))
      case .bytes(let bytes):
        file = try ImageFile(bytes: bytes, limits: ImageLimits(sharedBy: requests))
      case .image(let image): return StoredImage(image, orientation: orientation)
      case .pixels(let bytes, let layout):
        return StoredImage(bytes, layout, orientation: orientation)
      }
    } catch {
      throw .image(error)
    }
    let reduction = try ImageReduction(
      for: requests, of: ImageSize(width: file.header.width, height: file.header.height),
      orientation: orientation ?? ImageOrientation(exif: file.header.orientation))
    do throws(ImageError) {
      return StoredImage(try file.decoded(reduction: reduction), orientation: orientation)
    } catch {
      throw .image(error)
    }
  }
}

extension ImageLimits {
  /// What all requests allow.
  init(sharedBy requests: [DetectObjectsRequest]) {
    self = .standard
    guard let first = requests.first?.imageLimits else { return }
    self = requests.reduce(first) { limits, request in
      ImageLimits(
        maximumPixels: min(limits.maximumPixels, request.imageLimits.maximumPixels),
        maximumFileBytes: min(limits.maximumFileBytes, request.imageLimits.maximumFileBytes))
    }
  }
}

extension ImageReduction {
  /// The most that an image may be reduced for all requests.
  init(
    for requests: [DetectObjectsRequest], of storedSize: ImageSize, orientation: ImageOrientation
  ) throws(DetectionError) {
    // An image without pixels is the decoder's to refuse.
    guard !requests.isEmpty, !storedSize.isEmpty,
      requests.allSatisfy(\.allowsReducedDecoding)
    else {
      self = .none
      return
    }
    var (width, height) = (1, 1)
    for request in requests {
      let least = try request.geometry(of: storedSize, orientation: orientation).leastDecodedSize
      (width, height) = (max(width, least.width), max(height, least.height))
    }
    self = .covering(width: width, height: height)
  }
}

extension ImageGeometry {
  /// The size to which the stored image may be reduced so that every pixel of the network's input
  /// still has one of its own.
  var leastDecodedSize: ImageSize {
    let map = map(from: .model, to: .stored)
    let scaleX = abs(map.exchangesAxes ? map.b : map.a)
    let scaleY = abs(map.exchangesAxes ? map.c : map.d)
    func least(_ side: Int, _ scale: Double) -> Int {
      Int((Double(side) / max(1, scale)).rounded(.up))
    }
    return ImageSize(
      width: least(storedSize.width, scaleX), height: least(storedSize.height, scaleY))
  }
}
