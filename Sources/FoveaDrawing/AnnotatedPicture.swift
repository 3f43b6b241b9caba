// Fovea - a picture with boxes drawn upon it.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
public import FoveaImaging

/// A picture and the boxes and regions that are drawn upon it.
///
///     try AnnotatedPicture(picture, boxes: boxes).write(to: "found.png")
public struct AnnotatedPicture: Sendable {
  /// The picture; it is turned upright before anything is drawn.
  public var picture: Picture
  /// The boxes.
  public var boxes: [LabeledBox]
  /// The regions, outlined with dashes.
  public var regions: [LabeledRegion]
  /// Widths and sizes; `nil` for those that fit the picture.
  public var style: DrawingStyle?

  /// A picture with boxes and regions.
  public init(
    _ picture: Picture, boxes: [LabeledBox] = [], regions: [LabeledRegion] = [],
    style: DrawingStyle? = nil
  ) {
    self.picture = picture
    self.boxes = boxes
    self.regions = regions
    self.style = style
  }

  /// What will be drawn on the upright picture.
  ///
  /// - Parameter measureText: The width of a line of bold text at a size of the font.
  public func instructions(
    measureText: (_ text: String, _ fontSize: Double) -> Double =
      DrawingInstructions.estimatedTextWidth
  ) -> DrawingInstructions {
    DrawingInstructions(
      boxes, regions: regions,
      in: ImageSize(width: picture.uprightWidth, height: picture.uprightHeight), style: style,
      measureText: measureText)
  }

  /// The upright picture with everything drawn upon it, by cairo, in the widths of its letters.
  ///
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.tooLarge` or `.failed`.
  public func rendered() throws(DrawingError) -> Picture {
    #if Drawing
      let canvas = try CairoCanvas(over: picture.upright())
      return try canvas.picture(drawing: instructions(measureText: canvas.textWidth))
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// The drawing as an SVG file, of the upright picture's size in pixels. Needs no cairo.
  ///
  /// - Parameter embedsPicture: Whether the picture lies in the file, as PNG; otherwise the drawing
  ///   has a transparent ground.
  /// - Throws: `.picture`, where the picture cannot be encoded as PNG.
  public func svgBytes(embedsPicture: Bool = true) throws(DrawingError) -> [UInt8] {
    let upright = embedsPicture ? picture.upright() : nil
    return try instructions().svgBytes(over: upright)
  }

  /// Makes or replaces the file at `path`, in the format that its name's ending says.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - jpegQuality: 1...100, as for `Picture.jpegBytes(quality:)`; counts for JPEG only.
  /// - Throws: `.unknownFormat`, the reasons of `rendered()` and `svgBytes(embedsPicture:)`, or
  ///   `.picture` where the picture cannot be encoded or the file not written.
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
  /// The picture with everything drawn upon it, by cairo.
  ///
  /// - Parameter picture: A picture of the canvas's size; it is turned upright first.
  /// - Throws: `.sizesDiffer`, `.traitDisabled`, `.libraryUnavailable`, `.tooLarge` or `.failed`.
  public func rendered(over picture: Picture) throws(DrawingError) -> Picture {
    let upright = picture.upright()
    try check(upright)
    #if Drawing
      return try CairoCanvas(over: upright).picture(drawing: self)
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// Refuses a picture of another size.
  func check(_ upright: Picture) throws(DrawingError) {
    let (columns, rows) = (Double(upright.width), Double(upright.height))
    guard canvas.width == columns, canvas.height == rows else {
      throw DrawingError(
        .sizesDiffer(
          instructions: "\(canvas.width) x \(canvas.height)",
          picture: "\(upright.width) x \(upright.height)"))
    }
  }
}

extension Picture {
  /// The bytes of a file in a format of pixels; SVG holds the picture as PNG.
  func encoded(as format: DrawingFormat, jpegQuality: Int) throws(DrawingError) -> [UInt8] {
    switch format {
    case .png: try DrawingError.translating { () throws(PictureError) in try pngBytes() }
    case .jpeg:
      try DrawingError.translating { () throws(PictureError) in
        try jpegBytes(quality: jpegQuality)
      }
    case .svg:
      try DrawingInstructions(
        canvas: DrawingCanvas(ImageSize(width: width, height: height)), elements: []
      ).svgBytes(over: self)
    }
  }
}
