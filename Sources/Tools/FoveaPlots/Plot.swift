// Fovea - numbers as lines and points between two axes.
// SPDX-License-Identifier: Apache-2.0
public import FoveaDrawing
public import FoveaImaging

/// A plot: lines and marks between two axes.
///
///     var plot = Plot(title: "Precision", x: .init("recall", in: 0...1), y: .init("precision"))
///     plot.series = [.init("cat", line: curve)]
///     try plot.write(to: "precision.svg")
public struct Plot: Hashable, Sendable {
  /// One axis.
  public struct Axis: Hashable, Sendable {
    /// The quantity, with its unit.
    public var title: String
    /// The range to show at least; `nil` for that of the points.
    public var range: ClosedRange<Double>?

    /// Creates an axis.
    public init(_ title: String, in range: ClosedRange<Double>? = nil) {
      self.title = title
      self.range = range
    }
  }

  /// A point of the plot.
  public struct Point: Hashable, Sendable {
    /// The position along the horizontal axis.
    public var x: Double
    /// The position along the vertical axis.
    public var y: Double
    /// The text beside the point; empty for none.
    public var label: String

    /// Creates a point.
    public init(x: Double, y: Double, label: String = "") {
      (self.x, self.y, self.label) = (x, y, label)
    }
  }

  /// Points that belong together. The order of the series decides their colors and marks.
  public struct Series: Hashable, Sendable {
    /// The name in the legend.
    public var name: String
    /// The points. Those that are not finite are left out.
    public var points: [Point]
    /// Whether a line connects the points; otherwise each has a mark.
    public var isLine: Bool

    /// Creates a line.
    public init(_ name: String, line: [Point]) {
      (self.name, points, isLine) = (name, line, true)
    }

    /// Creates points with marks.
    public init(_ name: String, marks: [Point]) {
      (self.name, points, isLine) = (name, marks, false)
    }
  }

  /// The heading.
  public var title: String
  /// A line of text below the heading; empty for none.
  public var subtitle: String
  /// The horizontal axis.
  public var x: Axis
  /// The vertical axis.
  public var y: Axis
  /// The series; the first is on top.
  public var series: [Series]
  /// The width without the legend, in points.
  public var width: Double
  /// The least height, in points.
  public var height: Double

  /// Creates a plot.
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

  /// The plot as an SVG file, in dark colors if the viewer prefers them. It does not need cairo.
  public func svgBytes() -> [UInt8] { PlotSVG.bytes(of: PlotLayout(self)) }

  /// The plot as an image in light colors, drawn by cairo.
  ///
  /// - Parameter scale: The number of pixels for a point, above 0.
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

  /// Creates or replaces the file at `path`, in the format that the extension of its name says.
  ///
  /// - Throws: `.unknownFormat`, the reasons of `rendered(scale:)`, or `.image` if the image cannot
  ///   be encoded or the file cannot be written.
  public func write(to path: String) throws(DrawingError) {
    try writeDrawing(to: path) { format throws(DrawingError) in
      switch format {
      case .svg: svgBytes()
      case .png, .jpeg: try rendered().encoded(as: format, jpegQuality: 90)
      }
    }
  }
}
