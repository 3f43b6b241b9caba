// Fovea - how wide lines and how large letters are.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// How wide lines and how large letters are, in the units of the canvas.
public struct DrawingStyle: Hashable, Sendable {
  /// Width of a box's colored line.
  public var lineWidth: Double
  /// Width of the dark casing on either side of the line, which sets it off from a background of
  /// its own color.
  public var casingWidth: Double
  /// Height of the letters, from the ascenders to the descenders.
  public var fontSize: Double
  /// Whether percentages are written behind the labels.
  public var showsConfidence: Bool

  /// A style of its parts.
  public init(
    lineWidth: Double, casingWidth: Double, fontSize: Double, showsConfidence: Bool = true
  ) {
    self.lineWidth = lineWidth
    self.casingWidth = casingWidth
    self.fontSize = fontSize
    self.showsConfidence = showsConfidence
  }

  /// The style that fits a canvas of `width` by `height` pixels or points.
  ///
  /// Lines and letters grow with the square root of the area, s: lines are 0.4 % of it and letters
  /// 2.3 %, so that a photograph looks the same at any number of pixels. Below s = 500 they stay
  /// at what can still be seen (2 and 11.5), unless the canvas is so narrow that they would fill it:
  /// lines take at most a twelfth of the shorter side, and so do letters above 8.
  ///
  /// - Parameter scale: Makes everything larger (above 1) or smaller.
  public init(fitting width: Double, _ height: Double, scale: Double = 1) {
    let side = (width * height).squareRoot()
    let shorter = min(width, height)
    let lineWidth = min(max(2, 0.004 * side) * scale, shorter / 12)
    self.init(
      lineWidth: lineWidth, casingWidth: lineWidth * 0.4,
      fontSize: min(max(11.5, 0.023 * side) * scale, max(8, shorter / 12)))
  }

  /// The style that fits an image of size `size`.
  ///
  /// - Parameter scale: Makes everything larger (above 1) or smaller.
  public init(fitting size: ImageSize, scale: Double = 1) {
    self.init(fitting: Double(size.width), Double(size.height), scale: scale)
  }

  /// Whether all widths are finite and none is negative.
  var isValid: Bool {
    [lineWidth, casingWidth, fontSize].allSatisfy { $0.isFinite && $0 >= 0 }
  }
}
