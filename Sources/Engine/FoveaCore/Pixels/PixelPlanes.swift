// Fovea - an image whose samples lie in planes, as decoders of videos leave them.
// SPDX-License-Identifier: Apache-2.0
package import CFovea
package import FoveaGeometry

/// An image whose samples lie in planes of memory that somebody else holds. It is lent for the time
/// of a call.
package struct PixelPlanes {
  /// The image as the core sees it.
  package var image: fov_image

  /// Describes an image. What makes no sense is refused when it is sampled.
  package init(_ image: fov_image) { self.image = image }

  /// The number of columns and rows.
  package var size: ImageSize { ImageSize(width: Int(image.width), height: Int(image.height)) }

  /// One field of an interlaced image: every second row, the first or the second on.
  ///
  /// Planes of chroma may have a row less in the bottom field than its luma would need: those of 243
  /// rows have 121, and 243 rows of luma need 122. Then the last row of luma is left out.
  ///
  /// - Returns: `nil` for an image with too few rows, or that is not in planes.
  package func field(isTop: Bool) -> PixelPlanes? {
    guard image.height > 1, image.format == .planar else { return nil }
    var field = image
    field.height = isTop ? (image.height + 1) / 2 : image.height / 2
    if !isTop, image.planes.1.data != nil {
      let shift = Int(image.chroma_shifts.1)
      let chromaRows = (image.height + (1 << shift) - 1) >> shift
      field.height = min(field.height, (chromaRows / 2) << shift)
    }
    guard field.height > 0 else { return nil }
    Self.skipRows(&field.planes.0, isTop: isTop)
    Self.skipRows(&field.planes.1, isTop: isTop)
    Self.skipRows(&field.planes.2, isTop: isTop)
    return PixelPlanes(field)
  }

  private static func skipRows(_ plane: inout fov_sample_plane, isTop: Bool) {
    guard let data = plane.data, plane.row_bytes > 0 else { return }
    if !isTop, plane.data_bytes > plane.row_bytes {
      plane.data = data + plane.row_bytes
      plane.data_bytes -= plane.row_bytes
    }
    plane.row_bytes *= 2
  }
}

extension ImageSampling {
  /// The same sampling of an image that has `columns` columns, where this one counts `shown`:
  /// stored pixels that are not square are shown in another number of columns.
  package func ofColumns(_ columns: Int, shownAs shown: Int) -> ImageSampling {
    let scale = Double(columns) / Double(max(1, shown))
    let begin = min(Int((Double(sourceColumns.lowerBound) * scale).rounded(.down)), columns - 1)
    let end = min(Int((Double(sourceColumns.upperBound) * scale).rounded(.up)), columns)
    return ImageSampling(
      map: AffineMap(
        a: map.a * scale, b: map.b * scale, c: map.c, d: map.d, tx: map.tx * scale, ty: map.ty),
      sourceColumns: begin..<max(begin + 1, end), sourceRows: sourceRows,
      contentColumns: contentColumns, contentRows: contentRows)
  }

  /// The same sampling of one field of an image, which has `rows` rows. The rows of the top field lie
  /// half a row of the field above those that they are spread over, the others half a row below.
  package func ofField(isTop: Bool, rows: Int) -> ImageSampling {
    // Row y of the image is row y / 2 + 1/4 of the top field, and y / 2 - 1/4 of the bottom one.
    let shift = isTop ? 0.25 : -0.25
    let begin = min(sourceRows.lowerBound / 2, rows - 1)
    let end = min((sourceRows.upperBound + 1) / 2, rows)
    return ImageSampling(
      map: AffineMap(
        a: map.a, b: map.b, c: map.c / 2, d: map.d / 2, tx: map.tx, ty: map.ty / 2 + shift),
      sourceColumns: sourceColumns, sourceRows: begin..<max(begin + 1, end),
      contentColumns: contentColumns, contentRows: contentRows)
  }
}
