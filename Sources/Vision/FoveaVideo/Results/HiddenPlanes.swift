// Fovea - pictures of videos in which objects cannot be recognized.
// SPDX-License-Identifier: Apache-2.0
package import FoveaMedia
package import FoveaShapes

extension UprightImage {
  /// Gives objects one color for each square; see `PixelMosaic`.
  package func hide(_ objects: [HiddenObject]) {
    for object in objects {
      let mosaic = PixelMosaic(object, in: content)
      mosaic.hide(in: planes.luma, width: width, height: height)
      for plane in [planes.u, planes.v] {
        mosaic.hide(in: plane, width: width / 2, height: height / 2, reduction: 2)
      }
    }
  }
}
