// Fovea - objects that pictures do not show.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaMedia
package import FoveaShapes

/// An object that a picture must not show.
package struct HiddenObject: Sendable {
  /// The box in fractions of the upright picture, counted from its lower left.
  package var box: NormalizedRect
  /// The pixels of the object; `nil` for those of the box.
  package var mask: InstanceMask?

  /// An object to hide.
  package init(box: NormalizedRect, mask: InstanceMask?) {
    (self.box, self.mask) = (box, mask)
  }
}

extension UprightImage {
  /// Gives objects one color for each square; see `PixelMosaic`.
  package func hide(_ objects: [HiddenObject]) {
    for object in objects {
      let mosaic = PixelMosaic(box: object.box, mask: object.mask, in: content)
      mosaic.hide(in: planes.luma, width: width, height: height)
      for plane in [planes.u, planes.v] {
        mosaic.hide(in: plane, width: width / 2, height: height / 2, reduction: 2)
      }
    }
  }
}
