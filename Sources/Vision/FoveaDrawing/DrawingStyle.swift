// Fovea - how wide lines and how large letters are.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// The widths of lines and the size of letters, in units of the canvas.
public struct DrawingStyle: Hashable, Sendable {
  /// The width of the colored line of a box.
  public var lineWidth: Double
  /// The width of the dark casing on each side of the line, which makes it visible on a background
  /// of the same color.
  public var casingWidth: Double
  /// The height of the letters, from ascenders to descenders.
  public var fontSize: Double
  /// Whether the label includes the confidence in percent.
  public var showsConfidence: Bool

  /// Creates a style.
  public init(
    lineWidth: Double, casingWidth: Double, fontSize: Double, showsConfidence: Bool = true
  ) {
    self.lineWidth = lineWidth
    self.casingWidth = casingWidth
    self.fontSize = fontSize
    self.showsConfidence = showsConfidence
  }

  /// Creates the style that fits a canvas of `width` by `height` pixels or points.
  ///
  /// Lines and letters grow with s, the square root of the area: lines are 0.4 % of s, and letters
  /// 2.3 %, so that a photograph looks alike at any resolution. Below s = 500, they keep their
  /// least visible sizes, 2 and 11.5. Narrow canvases limit both: lines to a twelfth of the shorter
  /// side, letters to a twelfth or 8, whichever is larger.
  ///
  /// - Parameters:
  ///   - width: The width of the canvas.
  ///   - height: The height of the canvas.
  ///   - scale: A factor for all sizes.
  package init(fitting width: Double, _ height: Double, scale: Double = 1) {
    let side = (width * height).squareRoot()
    let shorter = min(width, height)
    let lineWidth = min(max(2, 0.004 * side) * scale, shorter / 12)
    self.init(
      lineWidth: lineWidth, casingWidth: lineWidth * 0.4,
      fontSize: min(max(11.5, 0.023 * side) * scale, max(8, shorter / 12)))
  }

  /// Creates the style that fits an image.
  ///
  /// - Parameters:
  ///   - size: The size of the image in pixels.
  ///   - scale: A factor for all sizes.
  public init(fitting size: ImageSize, scale: Double = 1) {
    self.init(fitting: Double(size.width), Double(size.height), scale: scale)
  }

  /// Whether all widths are finite and none is negative.
  var isValid: Bool {
    [lineWidth, casingWidth, fontSize].allSatisfy { $0.isFinite && $0 >= 0 }
  }
}
