// Fovea - where a picture comes from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaRuntime

/// Where a picture comes from.
enum PictureSource: Sendable {
  /// A JPEG, PNG or WebP file.
  case path(String)
  /// The bytes of one.
  case bytes([UInt8])
  /// A decoded picture.
  case picture(Picture)
  /// Pixels of any layout.
  case pixels([UInt8], PixelLayout)

  /// The picture as stored.
  ///
  /// - Parameters:
  ///   - orientation: How to turn it; `nil` for what it says itself.
  ///   - requests: Who will look at it. A JPEG is decoded at the least scale that gives each of them
  ///     a pixel for every pixel of its input, if all of them allow it.
  /// - Throws: `.picture`, `.invalidRequest`.
  func load(
    orientation: ImageOrientation?, for requests: [DetectObjectsRequest]
  ) throws(DetectionError) -> StoredPicture {
    let file: PictureFile
    do throws(PictureError) {
      switch self {
      case .path(let path):
        file = try PictureFile(contentsOf: path, limits: PictureLimits(sharedBy: requests))
      case .bytes(let bytes):
        file = try PictureFile(bytes: bytes, limits: PictureLimits(sharedBy: requests))
      case .picture(let picture): return StoredPicture(picture, orientation: orientation)
      case .pixels(let bytes, let layout):
        return StoredPicture(bytes, layout, orientation: orientation)
      }
    } catch {
      throw .picture(error)
    }
    let reduction = try PictureReduction(
      for: requests, of: ImageSize(width: file.header.width, height: file.header.height),
      orientation: orientation ?? ImageOrientation(exif: file.header.orientation))
    do throws(PictureError) {
      return StoredPicture(try file.decoded(reduction: reduction), orientation: orientation)
    } catch {
      throw .picture(error)
    }
  }
}

extension PictureLimits {
  /// What all requests allow.
  init(sharedBy requests: [DetectObjectsRequest]) {
    self = .standard
    guard let first = requests.first?.pictureLimits else { return }
    self = requests.reduce(first) { limits, request in
      PictureLimits(
        maximumPixels: min(limits.maximumPixels, request.pictureLimits.maximumPixels),
        maximumFileBytes: min(limits.maximumFileBytes, request.pictureLimits.maximumFileBytes))
    }
  }
}

extension PictureReduction {
  /// The most that a picture may be reduced for all requests.
  init(
    for requests: [DetectObjectsRequest], of storedSize: ImageSize, orientation: ImageOrientation
  ) throws(DetectionError) {
    // A picture without pixels is the decoder's to refuse.
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
  /// The size to which the stored picture may be reduced so that every pixel of the network's input
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
