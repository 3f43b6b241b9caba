// Fovea - how boxes are drawn, as plain values.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// How labeled boxes are drawn: rectangles, lines, plates and texts with their places, sizes and
/// colors, as plain values that any user interface can draw.
///
/// Positions are counted from the upper left corner of the canvas, in its units: pixels of a
/// image or points of a view. Nothing is rounded to whole pixels. Drawn one after the other,
/// `elements` show the boxes, the surest on top, and above all of them their plates, which lie
/// inside the canvas and, where there is room, not on each other.
public struct DrawingInstructions: Hashable, Sendable {
  /// What is drawn on.
  public let canvas: DrawingCanvas
  /// What is drawn, the lowest first.
  public let elements: [DrawingElement]

  /// Instructions of given parts.
  init(canvas: DrawingCanvas, elements: [DrawingElement]) {
    self.canvas = canvas
    self.elements = elements
  }

  /// Instructions for boxes and regions on an image.
  ///
  /// - Parameters:
  ///   - boxes: The boxes, in any order.
  ///   - regions: Parts of the image to be outlined with dashes, below the boxes.
  ///   - size: The upright image's size in pixels.
  ///   - style: Widths and sizes; those that fit the image unless told.
  ///   - measureText: The width of a line of text at a size of the font, in the same units, for
  ///     bold letters; an estimate unless told.
  public init(
    _ boxes: [LabeledBox], regions: [LabeledRegion] = [], in size: ImageSize,
    style: DrawingStyle? = nil,
    measureText: (_ text: String, _ fontSize: Double) -> Double =
      DrawingInstructions.estimatedTextWidth
  ) {
    self.init(
      boxes, regions: regions, on: DrawingCanvas(size), style: style, measureText: measureText)
  }

  /// Instructions for boxes and regions on a canvas.
  ///
  /// A box is drawn where it can be seen: what leaves the image or the canvas is cut off, and its
  /// line is moved inwards until all of its width lies inside. A box that is entirely outside or
  /// whose numbers are not finite is left out; so is everything on an empty canvas or in a style
  /// with negative sizes.
  ///
  /// - Parameters:
  ///   - boxes: The boxes, in any order.
  ///   - regions: Parts of the image to be outlined with dashes, below the boxes.
  ///   - canvas: The view, and where the image lies on it.
  ///   - style: Widths and sizes; those that fit the canvas unless told.
  ///   - measureText: The width of a line of text at a size of the font, in the same units, for
  ///     bold letters; an estimate unless told.
  public init(
    _ boxes: [LabeledBox], regions: [LabeledRegion] = [], on canvas: DrawingCanvas,
    style: DrawingStyle? = nil,
    measureText: (_ text: String, _ fontSize: Double) -> Double =
      DrawingInstructions.estimatedTextWidth
  ) {
    let style = style ?? DrawingStyle(fitting: canvas.width, canvas.height)
    guard let visible = canvas.visibleImage, visible.width > 0, visible.height > 0, style.isValid
    else {
      self.init(canvas: canvas, elements: [])
      return
    }
    let subjects = DrawnSubject.inDrawingOrder(
      boxes, regions, on: canvas, visible: visible, style: style)
    let plates = drawnPlates(subjects, in: canvas.bounds, style, measureText)
    self.init(
      canvas: canvas,
      elements: subjects.map { .rectangle($0.outline) } + plates.leaders.map { .line($0) }
        + plates.plates.map { .plate($0) })
  }

  /// The outlines among the elements, in drawing order.
  public var rectangles: [RectangleElement] {
    elements.compactMap { if case .rectangle(let element) = $0 { element } else { nil } }
  }

  /// The plates among the elements, in drawing order.
  public var plates: [PlateElement] {
    elements.compactMap { if case .plate(let element) = $0 { element } else { nil } }
  }
}
