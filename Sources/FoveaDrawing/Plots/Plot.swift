// Fovea - numbers as lines and points between two axes.
// SPDX-License-Identifier: Apache-2.0
public import FoveaImaging

/// Numbers as lines and points between two axes.
///
///     var plot = Plot(title: "Precision", x: .init("recall", in: 0...1), y: .init("precision"))
///     plot.series = [.init("cat", line: curve)]
///     try plot.write(to: "precision.svg")
public struct Plot: Hashable, Sendable {
  /// One axis.
  public struct Axis: Hashable, Sendable {
    /// What it counts, with the unit.
    public var title: String
    /// What it shows at least; `nil` for the range of the numbers.
    public var range: ClosedRange<Double>?

    /// An axis.
    public init(_ title: String, in range: ClosedRange<Double>? = nil) {
      self.title = title
      self.range = range
    }
  }

  /// A place in the plot.
  public struct Point: Hashable, Sendable {
    /// Along the horizontal axis.
    public var x: Double
    /// Along the vertical axis.
    public var y: Double
    /// What is written beside it; empty for nothing.
    public var label: String

    /// A point.
    public init(x: Double, y: Double, label: String = "") {
      (self.x, self.y, self.label) = (x, y, label)
    }
  }

  /// Points that belong together. Colors, and the forms of marks, follow the order of the series.
  public struct Series: Hashable, Sendable {
    /// What the legend calls it.
    public var name: String
    /// Its points; those that are not finite are left out.
    public var points: [Point]
    /// Whether a line connects them; otherwise each is a mark.
    public var isLine: Bool

    /// A line.
    public init(_ name: String, line: [Point]) {
      (self.name, points, isLine) = (name, line, true)
    }

    /// Points that each have a mark.
    public init(_ name: String, marks: [Point]) {
      (self.name, points, isLine) = (name, marks, false)
    }
  }

  /// The heading.
  public var title: String
  /// A line below it; empty for none.
  public var subtitle: String
  /// The horizontal axis.
  public var x: Axis
  /// The vertical axis.
  public var y: Axis
  /// What is shown; the first lies on top.
  public var series: [Series]
  /// Width without the legend, in points.
  public var width: Double
  /// Least height, in points.
  public var height: Double

  /// A plot.
  public init(
    title: String, subtitle: String = "", x: Axis, y: Axis, series: [Series] = [],
    width: Double = 640, height: Double = 460
  ) {
    self.title = title
    self.subtitle = subtitle
    self.x = x
    self.y = y
    self.series = series
    self.width = width
    self.height = height
  }

  /// The plot as an SVG file, in dark colors where the viewer prefers them. Needs no cairo.
  public func svgBytes() -> [UInt8] { PlotSVG.bytes(of: PlotLayout(self)) }

  /// The plot as an image in light colors, drawn by cairo.
  ///
  /// - Parameter scale: Pixels to a point, more than 0.
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.tooLarge` or `.failed`.
  public func rendered(scale: Double = 2) throws(DrawingError) -> Image {
    #if Drawing
      let layout = PlotLayout(self)
      let canvas = try CairoCanvas(
        width: Int((layout.width * scale).rounded(.up)),
        height: Int((layout.height * scale).rounded(.up)))
      canvas.draw(layout, scale: scale)
      return try canvas.image()
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// Makes or replaces the file at `path`, in the format that its name's ending says.
  ///
  /// - Throws: `.unknownFormat`, the reasons of `rendered(scale:)`, or `.image` where the image
  ///   cannot be encoded or the file not written.
  public func write(to path: String) throws(DrawingError) {
    try writeDrawing(to: path) { format throws(DrawingError) in
      switch format {
      case .svg: svgBytes()
      case .png, .jpeg: try rendered().encoded(as: format, jpegQuality: 90)
      }
    }
  }
}
