// Fovea - fractions of pictures as Core Graphics has them.
// SPDX-License-Identifier: Apache-2.0
package import FoveaApple
package import FoveaGeometry

extension CGPoint {
  package init(_ point: NormalizedPoint) { self.init(x: point.x, y: point.y) }
}

extension CGRect {
  package init(_ rect: NormalizedRect) {
    self.init(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }
}

extension NormalizedPoint {
  package init(_ point: CGPoint) { self.init(x: point.x, y: point.y) }
}

extension NormalizedRect {
  package init(_ rect: CGRect) {
    self.init(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height)
  }

  /// The part of a picture that a request looks at.
  ///
  /// - Throws: `VisionFailure` for one that leaves the picture.
  package init(regionOfInterest r: CGRect) throws(VisionFailure) {
    guard r.minX >= 0, r.minY >= 0, r.maxX <= 1 + 1e-6, r.maxY <= 1 + 1e-6, r.width > 0,
      r.height > 0
    else {
      throw VisionFailure(
        .invalidArgument, "regionOfInterest is \(r); expected a part of (0, 0, 1, 1)")
    }
    self.init(r)
  }
}
