// Fovea - a sampling of the geometry as the core sees it.
// SPDX-License-Identifier: Apache-2.0
package import CFovea
internal import FoveaGeometry

extension ImageSampling {
  /// The sampling for an output of `width` x `height` pixels, with black padding. Negative numbers
  /// become ones that the core refuses.
  package func core(width: Int, height: Int, channels: Int) -> fov_image_sampling {
    var sampling = fov_image_sampling()
    sampling.map = fov_affine_map(
      a: map.a, b: map.b, c: map.c, d: map.d, tx: map.tx, ty: map.ty)
    sampling.source_columns = sourceColumns.core
    sampling.source_rows = sourceRows.core
    (sampling.width, sampling.height, sampling.channels) = (width, height, channels)
    sampling.content_columns = contentColumns.core
    sampling.content_rows = contentRows.core
    return sampling
  }
}

extension Range<Int> {
  fileprivate var core: fov_pixel_range {
    fov_pixel_range(begin: lowerBound, end: upperBound)
  }
}
