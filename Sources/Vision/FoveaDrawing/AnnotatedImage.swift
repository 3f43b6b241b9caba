// Fovea - an image with boxes drawn upon it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
public import FoveaImaging

/// An image, and the boxes and regions that are drawn on it.
///
///     try AnnotatedImage(image, boxes: boxes).write(to: "found.png")
public struct AnnotatedImage: Sendable {
  /// The image. It is turned upright before anything is drawn.
  public var image: Image
  /// The boxes.
  public var boxes: [LabeledBox]
  /// The regions, outlined with dashes.
  public var regions: [LabeledRegion]
  /// Widths and sizes; `nil` for a style that fits the image.
  public var style: DrawingStyle?

  /// Creates an image with boxes and regions.
  public init(
    _ image: Image, boxes: [LabeledBox] = [], regions: [LabeledRegion] = [],
    style: DrawingStyle? = nil
  ) {
    self.image = image
    self.boxes = boxes
    self.regions = regions
    self.style = style
  }

  /// The instructions for drawing on the upright image.
  ///
  /// - Parameter measureText: Returns the width of a line of bold text at a font size.
  package func instructions(
    measureText: (_ text: String, _ fontSize: Double) -> Double =
      DrawingInstructions.estimatedTextWidth
  ) -> DrawingInstructions {
    DrawingInstructions(
      boxes, regions: regions,
      in: ImageSize(width: image.uprightWidth, height: image.uprightHeight), style: style,
      measureText: measureText)
  }

  /// The upright image with everything drawn on it by cairo, which also measures the text.
  ///
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.tooLarge` or `.failed`.
  public func rendered() throws(DrawingError) -> Image {
    #if Drawing
      let canvas = try CairoCanvas(over: image.upright())
      return try canvas.image(drawing: instructions(measureText: canvas.textWidth))
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// The drawing as an SVG file of the size of the upright image, in pixels. It does not need
  /// cairo.
  ///
  /// - Parameter embedsImage: Whether the file contains the image, as PNG. Otherwise the background
  ///   is transparent.
  /// - Throws: `.image` if the image cannot be encoded as PNG.
  public func svgBytes(embedsImage: Bool = true) throws(DrawingError) -> [UInt8] {
    let upright = embedsImage ? image.upright() : nil
    return try instructions().svgBytes(over: upright)
  }

  /// Creates or replaces the file at `path`, in the format that the extension of its name says.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - jpegQuality: 1...100, as for `Image.jpegBytes(quality:)`; for JPEG only.
  /// - Throws: `.unknownFormat`, the reasons of `rendered()` and `svgBytes(embedsImage:)`, or
  ///   `.image` if the image cannot be encoded or the file cannot be written.
  public func write(to path: String, jpegQuality: Int = 90) throws(DrawingError) {
    try writeDrawing(to: path) { format throws(DrawingError) in
      switch format {
      case .svg: try svgBytes()
      case .png, .jpeg: try rendered().encoded(as: format, jpegQuality: jpegQuality)
      }
    }
  }
}

extension DrawingInstructions {
  /// The image with everything drawn on it by cairo.
  ///
  /// - Parameter image: An image of the size of the canvas. It is turned upright first.
  /// - Throws: `.sizesDiffer`, `.traitDisabled`, `.libraryUnavailable`, `.tooLarge` or `.failed`.
  package func rendered(over image: Image) throws(DrawingError) -> Image {
    let upright = image.upright()
    try check(upright)
    #if Drawing
      return try CairoCanvas(over: upright).image(drawing: self)
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// Refuses an image of another size.
  func check(_ upright: Image) throws(DrawingError) {
    let (columns, rows) = (Double(upright.width), Double(upright.height))
    guard canvas.width == columns, canvas.height == rows else {
      throw DrawingError(
        .sizesDiffer(
          instructions: "\(canvas.width) x \(canvas.height)",
          image: "\(upright.width) x \(upright.height)"))
    }
  }
}

extension Image {
  /// The bytes of a file in a format of pixels; SVG holds the image as PNG.
  package func encoded(as format: DrawingFormat, jpegQuality: Int) throws(DrawingError) -> [UInt8] {
    switch format {
    case .png: try DrawingError.translating { () throws(ImageError) in try pngBytes() }
    case .jpeg:
      try DrawingError.translating { () throws(ImageError) in
        try jpegBytes(quality: jpegQuality)
      }
    case .svg:
      try DrawingInstructions(
        canvas: DrawingCanvas(ImageSize(width: width, height: height)), elements: []
      ).svgBytes(over: self)
    }
  }
}
