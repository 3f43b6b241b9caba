// Fovea - how a stored picture is to be turned.
// SPDX-License-Identifier: Apache-2.0
internal import Foundation
package import FoveaGeometry

public enum CGImagePropertyOrientation: UInt32, Hashable, Codable, Sendable, CaseIterable {
  case up = 1
  case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}

extension CGImagePropertyOrientation {
  package var imageOrientation: ImageOrientation { ImageOrientation(exif: Int(rawValue)) }

  package init(_ orientation: ImageOrientation) {
    self = CGImagePropertyOrientation(rawValue: UInt32(orientation.rawValue)) ?? .up
  }

  /// The map from pixels as they are stored to pixels of the upright picture, both from the lower
  /// left; the upright picture begins at the origin.
  func transform(width w: CGFloat, height h: CGFloat) -> CGAffineTransform {
    switch self {
    case .up: .identity
    case .upMirrored: CGAffineTransform(-1, 0, 0, 1, w, 0)
    case .down: CGAffineTransform(-1, 0, 0, -1, w, h)
    case .downMirrored: CGAffineTransform(1, 0, 0, -1, 0, h)
    case .leftMirrored: CGAffineTransform(0, -1, -1, 0, h, w)
    case .right: CGAffineTransform(0, -1, 1, 0, 0, w)
    case .rightMirrored: CGAffineTransform(0, 1, 1, 0, 0, 0)
    case .left: CGAffineTransform(0, 1, -1, 0, h, 0)
    }
  }
}
