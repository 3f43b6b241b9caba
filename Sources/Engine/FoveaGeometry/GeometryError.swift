// Fovea - why sizes and regions make no geometry.
// SPDX-License-Identifier: Apache-2.0

/// The reason why sizes and regions give no geometry.
public enum GeometryError: Error, Hashable, Sendable {
  /// The stored image has no pixels, or a side above `ImageGeometry.maximumSide`.
  case invalidImageSize(ImageSize)
  /// The network's input has no pixels, or a side above `ImageGeometry.maximumSide`.
  case invalidModelSize(ImageSize)
  /// The region of interest is empty, leaves the image, or has a NaN coordinate.
  case invalidRegion(NormalizedRect)
  /// The decoded size is not a scaled size of the stored image.
  case invalidDecodedSize(ImageSize, stored: ImageSize)
  /// The view has no area, or a side that is above 10^9 points or NaN.
  case invalidViewSize(width: Double, height: Double)
}

extension GeometryError: CustomStringConvertible {
  /// One line that says what was found, what was expected and what to do.
  public var description: String {
    let sides = "both sides must be in 1...\(ImageGeometry.maximumSide)"
    return switch self {
    case .invalidImageSize(let size): "the image's size is \(size); \(sides)"
    case .invalidModelSize(let size): "the size of the network's input is \(size); \(sides)"
    case .invalidRegion(let region):
      "the region of interest is \(region); it must have an area and lie inside the image, "
        + "which is x 0...1 and y 0...1 from the lower left: cut it with `clamped`"
    case .invalidDecodedSize(let decoded, let stored):
      "the decoded image is \(decoded), which is no scale of the stored \(stored); give the "
        + "decoded size before it is turned upright"
    case .invalidViewSize(let width, let height):
      "the view's size is \(width) x \(height) points; both sides must be in 1e-9...1e9"
    }
  }
}
