// Fovea - which part of an image fills which part of an input.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea

/// Which part of an image fills which part of an input, turned how, and what surrounds it.
///
/// Coordinates are continuous: pixel i covers i ..< i + 1.
package struct InputSampling: Sendable, Hashable {
  /// x' = `a` x + `b` y + `tx`, y' = `c` x + `d` y + `ty`. Axes are aligned (`b` and `c` are 0) or
  /// exchanged (`a` and `d` are 0).
  package struct Map: Sendable, Hashable {
    package var a, b, c, d, tx, ty: Double

    package init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
      (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }
  }

  /// A color; an input of luminance takes the first.
  package struct Fill: Sendable, Hashable {
    package var red, green, blue: UInt8

    package init(red: UInt8 = 0, green: UInt8 = 0, blue: UInt8 = 0) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  /// From pixels of the input to pixels of the image as it is stored.
  package var map: Map
  /// The columns of the image that are read, as if it had been cut to them; not empty.
  package var sourceColumns: Range<Int>
  /// The rows of the image that are read; not empty.
  package var sourceRows: Range<Int>
  /// The columns of the input that show the image.
  package var contentColumns: Range<Int>
  /// The rows of the input that show the image.
  package var contentRows: Range<Int>
  /// What fills the rest.
  package var fill: Fill

  package init(
    map: Map, sourceColumns: Range<Int>, sourceRows: Range<Int>, contentColumns: Range<Int>,
    contentRows: Range<Int>, fill: Fill = Fill()
  ) {
    self.map = map
    self.sourceColumns = sourceColumns
    self.sourceRows = sourceRows
    self.contentColumns = contentColumns
    self.contentRows = contentRows
    self.fill = fill
  }

  /// A sampling as the core sees it, for an output of a size. Negative numbers become ones that it
  /// refuses.
  func core(width: Int, height: Int, channels: Int) -> fov_image_sampling {
    var sampling = fov_image_sampling()
    sampling.map = fov_affine_map(
      a: map.a, b: map.b, c: map.c, d: map.d, tx: map.tx, ty: map.ty)
    sampling.source_columns = Self.core(sourceColumns)
    sampling.source_rows = Self.core(sourceRows)
    (sampling.width, sampling.height, sampling.channels) = (width, height, channels)
    sampling.content_columns = Self.core(contentColumns)
    sampling.content_rows = Self.core(contentRows)
    sampling.fill = (fill.red, fill.green, fill.blue)
    return sampling
  }

  private static func core(_ range: Range<Int>) -> fov_pixel_range {
    fov_pixel_range(begin: range.lowerBound, end: range.upperBound)
  }
}
