// Fovea - a request that finds text without reading it.
// SPDX-License-Identifier: Apache-2.0
internal import CFoveaStills
public import FoveaGeometry

/// Finds lines of text, without reading them. Vision's name is `VNDetectTextRectanglesRequest`, too.
public struct DetectTextRectanglesRequest: StillRequest {
  /// Whether boxes around characters are wanted.
  public var reportCharacterBoxes = false
  /// A network that finds lines; `nil`, the default, for Fovea's own way.
  public var detector: TextDetector?
  /// The part of the upright image to look at. Results are fractions of the full image all the same.
  public var regionOfInterest = NormalizedRect.fullImage

  /// A request with Vision's defaults.
  public init() {}

  /// The lines of text in a picture, in the order in which they are read.
  ///
  /// - Throws: `.invalidRequest`, `.libraryFailed` without memory; `.detection` from a network.
  /// - Complexity: O(pixels of the picture).
  public func result(in picture: StillPicture) throws(StillError) -> [TextObservation] {
    let part = try picture.part(regionOfInterest)
    let lines = try TextSearch(detector: detector, minimumHeightFraction: 0, of: picture)
      .lines(in: part)
    return lines.map { line in
      TextObservation(
        line, characters: reportCharacterBoxes ? line.characters(in: part) : nil,
        confidence: Float(line.confidence), in: part)
    }
  }
}

extension TextLine {
  /// The height of a line when its characters are looked for, in pixels.
  private static let characterHeight = 40.0

  /// Boxes around characters: pieces of ink, joined where one lies above the other.
  fileprivate func characters(in picture: StillPicture) -> [PixelQuad] {
    guard
      let strip = TextStrip(self, of: picture, height: Self.characterHeight, margin: 0.1)
    else { return [] }
    let pixels = strip.pixels
    var boxes: [SIMD4<Double>] = pixels.pixels.withUnsafeBufferPointer { bytes in
      var image = fov_still_image(
        bytes: bytes.baseAddress, row_bytes: pixels.width, width: Int32(pixels.width),
        height: Int32(pixels.height), channels: 1)
      var ink = fov_ink()
      guard fov_ink_find(&image, 0, Int32(Self.characterHeight), 40, 8, &ink) == 0 else {
        return []
      }
      defer { fov_ink_release(&ink) }
      return UnsafeBufferPointer(start: ink.pieces, count: Int(ink.piece_count)).map { piece in
        SIMD4(
          Double(piece.left), Double(piece.top), Double(piece.right), Double(piece.bottom))
      }
    }
    boxes.sort { $0.x < $1.x }
    var joined: [SIMD4<Double>] = []
    for box in boxes {
      if let last = joined.last,
        min(last.z, box.z) - max(last.x, box.x) > 0.5 * min(last.z - last.x, box.z - box.x)
      {
        joined[joined.count - 1] = SIMD4(
          min(last.x, box.x), min(last.y, box.y), max(last.z, box.z), max(last.w, box.w))
      } else {
        joined.append(box)
      }
    }
    return joined.map { strip.quad(left: $0.x, top: $0.y, right: $0.z, bottom: $0.w) }
  }
}
