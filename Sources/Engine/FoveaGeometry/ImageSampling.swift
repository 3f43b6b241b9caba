// Fovea - what a resampler needs to know to fill a network's input.
// SPDX-License-Identifier: Apache-2.0

/// The instructions for filling a network's input from a decoded image.
///
/// Pixel (i, j) of the input takes its value at `map(x: i + 0.5, y: j + 0.5)` of the decoded image.
/// Only `sourceColumns` and `sourceRows` are read: a position outside takes the nearest pixel
/// inside. Pixels of the input outside `contentColumns` and `contentRows` are padding.
///
/// The rounding rule: a source pixel belongs to the crop if the crop touches it (floor of the first
/// edge, ceiling of the last). A pixel of the input shows the image if its **center** lies in the
/// image. The tolerance of both decisions is a millionth of a pixel.
public struct ImageSampling: Hashable, Codable, Sendable {
  /// The map from pixels of the network's input to pixels of the decoded image as stored, both
  /// continuous and counted from the upper left. It may exchange the axes, but never mixes them.
  package let map: AffineMap
  /// The columns of the decoded image that the crop touches; never empty.
  package let sourceColumns: Range<Int>
  /// The rows of the decoded image that the crop touches; never empty.
  package let sourceRows: Range<Int>
  /// The columns of the input that show the image. Empty if an image is so narrow that it lies
  /// between two centers.
  package let contentColumns: Range<Int>
  /// The rows of the input that show the image. Empty if an image is so low that it lies between
  /// two centers.
  package let contentRows: Range<Int>

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
  /// The columns of the network's input whose centers lie in the image. Others are padding.
  package var contentColumns: Range<Int> {
    pixelsWithCenters(from: contentRect.minX, to: contentRect.maxX, of: modelSize.width)
  }

  /// The rows of the network's input whose centers lie in the image. Others are padding.
  package var contentRows: Range<Int> {
    pixelsWithCenters(from: contentRect.minY, to: contentRect.maxY, of: modelSize.height)
  }

  /// The columns of the upright image whose centers lie in what the network saw.
  package var seenColumns: Range<Int> {
    pixelsWithCenters(from: cropRect.minX, to: cropRect.maxX, of: uprightSize.width)
  }

  /// The rows of the upright image whose centers lie in what the network saw.
  package var seenRows: Range<Int> {
    pixelsWithCenters(from: cropRect.minY, to: cropRect.maxY, of: uprightSize.height)
  }

  /// The instructions for filling the network's input from a decoded image that is not turned yet.
  ///
  /// - Parameters:
  ///   - decodedSize: The size of the decoded image; `nil` for `storedSize`. It is smaller if a
  ///     JPEG was decoded at a reduced scale.
  ///   - decodedScale: The scale of the decoder, such as 3/8. Decoders round sizes up, so that the
  ///     last row and column may reach beyond the stored image. `nil` if the decoded image covers
  ///     exactly the stored one.
  /// - Throws: `.invalidDecodedSize` if `decodedSize` differs by a pixel or more from the stored
  ///   size at that scale, or at any scale; for example because the image is already turned.
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
