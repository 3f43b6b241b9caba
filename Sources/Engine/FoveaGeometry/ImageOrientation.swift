// Fovea - how a stored image must be turned to stand upright.
// SPDX-License-Identifier: Apache-2.0

/// How the rows and columns of a stored image lie in the upright one.
///
/// The cases and raw values are those of `CGImagePropertyOrientation` and of EXIF. Positions are
/// fractions counted from the **upper left**: u and v in the stored image, x and y in the upright
/// one. `upright(u:v:)` gives the formula of each case.
public enum ImageOrientation: Int, Hashable, Codable, Sendable, CaseIterable {
  /// Stored upright.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180 degrees.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Rows and columns exchanged.
  case leftMirrored = 5
  /// Must be turned by 90 degrees clockwise. A phone that is held upright stores this.
  case right = 6
  /// Rows and columns exchanged, then turned by 180 degrees.
  case rightMirrored = 7
  /// Must be turned by 90 degrees counterclockwise.
  case left = 8

  /// Creates the orientation of an EXIF tag. Values outside 1...8 give `.up`, as in other readers.
  public init(exif value: Int) { self = ImageOrientation(rawValue: value) ?? .up }

  /// Whether the stored and the upright image have width and height exchanged.
  package var swapsSides: Bool { rawValue >= ImageOrientation.leftMirrored.rawValue }

  /// The size of the upright image whose stored size is `size`.
  public func uprightSize(of size: ImageSize) -> ImageSize {
    swapsSides ? size.withSidesSwapped : size
  }

  /// The size of the stored image whose upright size is `size`.
  package func storedSize(of size: ImageSize) -> ImageSize { uprightSize(of: size) }

  /// The position in the upright image of the stored position (`u`, `v`).
  package func upright(u: Double, v: Double) -> (x: Double, y: Double) {
    switch self {
    case .up: (u, v)
    case .upMirrored: (1 - u, v)
    case .down: (1 - u, 1 - v)
    case .downMirrored: (u, 1 - v)
    case .leftMirrored: (v, u)
    case .right: (1 - v, u)
    case .rightMirrored: (1 - v, 1 - u)
    case .left: (v, 1 - u)
    }
  }

  /// The position in the stored image of the upright position (`x`, `y`): the inverse of
  /// `upright(u:v:)`.
  package func stored(x: Double, y: Double) -> (u: Double, v: Double) {
    let (u, v) = inverse.upright(u: x, v: y)
    return (u, v)
  }

  /// The orientation that undoes this one. Each is its own inverse, except `.left` and `.right`.
  package var inverse: ImageOrientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}
