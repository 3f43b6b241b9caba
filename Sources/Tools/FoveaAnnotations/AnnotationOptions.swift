// Fovea - what a file of annotations does not say about itself.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// What a file of annotations does not say about itself.
///
/// Create ML's files leave open what their numbers mean; its API has the same three parameters.
public struct AnnotationOptions: Hashable, Sendable {
  /// What the numbers of Create ML's boxes count.
  public enum Units: String, Hashable, Sendable, CaseIterable {
    /// Pixels.
    case pixel
    /// Shares of the picture's width and height.
    case normalized
  }

  /// Where Create ML's boxes count from.
  public enum Origin: String, Hashable, Sendable, CaseIterable {
    /// The upper left corner of the picture.
    case topLeft
    /// The lower left corner of the picture.
    case bottomLeft
  }

  /// The point of a box that Create ML's `x` and `y` give.
  public enum Anchor: String, Hashable, Sendable, CaseIterable {
    /// Its middle.
    case center
    /// Its upper left corner.
    case topLeft
    /// Its lower left corner.
    case bottomLeft
  }

  /// What the numbers of Create ML's boxes count.
  public var units = Units.pixel
  /// Where Create ML's boxes count from.
  public var origin = Origin.topLeft
  /// The point of a box that Create ML's `x` and `y` give.
  public var anchor = Anchor.center
  /// How all pictures are to be turned, whatever their files say.
  package var orientation: ImageOrientation?
  /// Whether boxes stay as they are written, also outside of the picture and twice: evaluations
  /// compare what annotators wrote.
  package var keepsBoxesAsWritten = false

  /// Creates options: pixels, counted from the upper left, of the middle of a box.
  public init() {}
}
