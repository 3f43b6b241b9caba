// Fovea - what a resampler needs to know to fill a network's input.
// SPDX-License-Identifier: Apache-2.0

/// What a resampler needs to know to fill a network's input from a decoded image.
///
/// The pixel (i, j) of the input takes its value at `map(x: i + 0.5, y: j + 0.5)` of the decoded
/// image, as if that had been cut to `sourceColumns` and `sourceRows` before: what would be read
/// outside is read at the nearest pixel inside. Pixels outside `contentColumns` and `contentRows`
/// are padding.
///
/// The rounding rule: a source pixel belongs to the crop that touches it (floor of the first edge,
/// ceiling of the last), and a pixel of the input shows the image if its **center** lies in the
/// image. Edges within a millionth of a pixel of such a decision count as lying on it.
public struct ImageSampling: Hashable, Codable, Sendable {
  /// From pixels of the network's input to pixels of the decoded image as it is stored, both
  /// continuous and counted from the upper left. Axes may be exchanged, and never mixed.
  public let map: AffineMap
  /// The columns of the decoded image that the crop touches; never empty.
  public let sourceColumns: Range<Int>
  /// The rows of the decoded image that the crop touches; never empty.
  public let sourceRows: Range<Int>
  /// The columns of the input that show the image. Empty where an image is so high and narrow
  /// that it falls between two centers.
  public let contentColumns: Range<Int>
  /// The rows of the input that show the image. Empty where an image is so wide and low that it
  /// falls between two centers.
  public let contentRows: Range<Int>

  /// A sampling of its parts. `ImageGeometry.sampling(decodedSize:decodedScale:)` computes them.
  package init(
    map: AffineMap, sourceColumns: Range<Int>, sourceRows: Range<Int>,
    contentColumns: Range<Int>, contentRows: Range<Int>
  ) {
    self.map = map
    (self.sourceColumns, self.sourceRows) = (sourceColumns, sourceRows)
    (self.contentColumns, self.contentRows) = (contentColumns, contentRows)
  }
}

extension ImageGeometry {
  /// The columns of the network's input whose centers lie in the image; others are padding.
  public var contentColumns: Range<Int> {
    pixelsWithCenters(from: contentRect.minX, to: contentRect.maxX, of: modelSize.width)
  }

  /// The rows of the network's input whose centers lie in the image; others are padding.
  public var contentRows: Range<Int> {
    pixelsWithCenters(from: contentRect.minY, to: contentRect.maxY, of: modelSize.height)
  }

  /// How to fill the network's input from the image as it was decoded, before it is turned.
  ///
  /// - Parameters:
  ///   - decodedSize: The size of what was decoded; smaller than `storedSize` where a JPEG was
  ///     decoded at a reduced scale. `nil` for `storedSize`.
  ///   - decodedScale: Decoded pixels to a stored pixel along both axes where the decoder states
  ///     it, such as 3/8: it rounds sizes up, so that its last row and column may reach beyond the
  ///     stored image. `nil` where what was decoded covers exactly the stored image.
  /// - Throws: `.invalidDecodedSize` when what was decoded is not the stored image at the stated
  ///   scale, or at any: sides that differ by a pixel or more, as when it was turned already.
  public func sampling(
    decodedSize: ImageSize? = nil, decodedScale: Double? = nil
  ) throws(GeometryError) -> ImageSampling {
    let decodedSize = decodedSize ?? storedSize
    guard decodedSize.isWithinLimits, isScale(decodedScale, of: decodedSize) else {
      throw .invalidDecodedSize(decodedSize, stored: storedSize)
    }
    let decoded = AffineMap.scaling(
      x: decodedScale ?? Double(decodedSize.width) / Double(storedSize.width),
      y: decodedScale ?? Double(decodedSize.height) / Double(storedSize.height))
    let crop = map(from: .upright, to: .stored).then(decoded)(cropRect)
    return ImageSampling(
      map: map(from: .model, to: .stored).then(decoded),
      sourceColumns: pixelsTouched(from: crop.minX, to: crop.maxX, of: decodedSize.width),
      sourceRows: pixelsTouched(from: crop.minY, to: crop.maxY, of: decodedSize.height),
      contentColumns: contentColumns, contentRows: contentRows)
  }

  /// Whether the stored image at `scale`, or at some scale where that is `nil`, has `size` but
  /// for less than a pixel.
  private func isScale(_ scale: Double?, of size: ImageSize) -> Bool {
    let (width, height) = (Double(storedSize.width), Double(storedSize.height))
    let (columns, rows) = (Double(size.width), Double(size.height))
    guard let scale else {
      // The scales that give the columns and those that give the rows must have one in common.
      return max((columns - 1) / width, (rows - 1) / height)
        < min((columns + 1) / width, (rows + 1) / height)
    }
    return scale > 0 && abs(width * scale - columns) < 1 && abs(height * scale - rows) < 1
  }
}

/// Edges that lie within this many pixels of a decision count as lying on it, so that rounding
/// errors of fractions such as 0.1 do not add a row.
private let edgeTolerance = 1e-6

/// The pixels i of a side of `count` whose centers i + 0.5 lie in `first` ..< `last`.
private func pixelsWithCenters(from first: Double, to last: Double, of count: Int) -> Range<Int> {
  let lower = pixelEdge((first - 0.5 - edgeTolerance).rounded(.up), of: count)
  return lower..<max(lower, pixelEdge((last - 0.5 - edgeTolerance).rounded(.up), of: count))
}

/// The pixels of a side of `count` that the stretch from `first` to `last` touches, at least one.
private func pixelsTouched(from first: Double, to last: Double, of count: Int) -> Range<Int> {
  let lower = min(pixelEdge((first + edgeTolerance).rounded(.down), of: count), count - 1)
  return lower..<max(lower + 1, pixelEdge((last - edgeTolerance).rounded(.up), of: count))
}

/// `edge` moved into 0...`count`.
private func pixelEdge(_ edge: Double, of count: Int) -> Int {
  Int(min(max(0, edge), Double(count)))
}
