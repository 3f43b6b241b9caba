// Fovea - how boxes are drawn, as plain values.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry

/// Instructions for drawing labeled boxes: outlines, lines, plates and texts, as values that any
/// user interface can draw.
///
/// Positions count from the upper left corner of the canvas, in its units: pixels of an image, or
/// points of a view. Nothing is rounded to whole pixels. Draw `elements` in their order: the most
/// confident box ends on top of the others, and plates on top of all boxes. Plates lie inside the
/// canvas and, where there is room, do not cover each other.
package struct DrawingInstructions: Hashable, Sendable {
  /// The canvas.
  package let canvas: DrawingCanvas
  /// The elements, the lowest first.
  package let elements: [DrawingElement]

  /// Instructions of given parts.
  init(canvas: DrawingCanvas, elements: [DrawingElement]) {
    self.canvas = canvas
    self.elements = elements
  }

  /// Creates the instructions for boxes and regions on an image.
  ///
  /// - Parameters:
  ///   - boxes: The boxes, in any order.
  ///   - regions: Parts of the image to outline with dashes, below the boxes.
  ///   - size: The size of the upright image in pixels.
  ///   - style: Widths and sizes; `nil` for a style that fits the image.
  ///   - measureText: Returns the width of a line of bold text at a font size, in the same unit.
  ///     The default is an estimate.
  package init(
    _ boxes: [LabeledBox], regions: [LabeledRegion] = [], in size: ImageSize,
    style: DrawingStyle? = nil,
    measureText: (_ text: String, _ fontSize: Double) -> Double =
      DrawingInstructions.estimatedTextWidth
  ) {
    self.init(
      boxes, regions: regions, on: DrawingCanvas(size), style: style, measureText: measureText)
  }

  /// Creates the instructions for boxes and regions on a canvas.
  ///
  /// A box is cut at the edges of the image and of the canvas, and its line is moved inwards until
  /// its full width is visible. A box that is entirely outside, or that is not finite, is left out.
  /// An empty canvas, or a style with negative sizes, gives no elements.
  ///
  /// - Parameters:
  ///   - boxes: The boxes, in any order.
  ///   - regions: Parts of the image to outline with dashes, below the boxes.
  ///   - canvas: The view, and the rectangle of the image on it.
  ///   - style: Widths and sizes; `nil` for a style that fits the canvas.
  ///   - measureText: Returns the width of a line of bold text at a font size, in the same unit.
  ///     The default is an estimate.
  package init(
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
      elements: subjects.flatMap(\.elements) + plates.leaders.map { .line($0) }
        + plates.plates.map { .plate($0) })
  }

  /// The outlines among the elements, in drawing order.
  package var rectangles: [RectangleElement] {
    elements.compactMap { if case .rectangle(let element) = $0 { element } else { nil } }
  }

  /// The plates among the elements, in drawing order.
  package var plates: [PlateElement] {
    elements.compactMap { if case .plate(let element) = $0 { element } else { nil } }
  }
}
