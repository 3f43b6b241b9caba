// Fovea - an object that pictures do not show.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

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
