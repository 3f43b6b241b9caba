// Fovea - many small pictures on one.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
public import FoveaImaging

/// A grid of pictures with captions, drawn by cairo.
///
/// Pictures are turned upright and made smaller where they do not fit. Small ones are shown a whole
/// number of times larger, each pixel as a square: what a network sees can be counted. Boxes are
/// drawn in the sheet's resolution, so that their labels can be read.
public struct ContactSheet: Sendable {
  /// A picture of the sheet.
  public struct Entry: Sendable {
    /// The picture with what is drawn upon it. Its `style` is for pixels of the sheet.
    public var annotated: AnnotatedPicture
    /// One line below the picture; empty for none.
    public var caption: String

    /// A picture with a caption.
    public init(_ annotated: AnnotatedPicture, caption: String = "") {
      self.annotated = annotated
      self.caption = caption
    }

    /// A picture with a caption and without boxes.
    public init(_ picture: Picture, caption: String = "") {
      self.init(AnnotatedPicture(picture), caption: caption)
    }
  }

  /// The pictures, row by row.
  public var entries: [Entry]
  /// How many pictures lie side by side.
  public var columns: Int
  /// The longest side of a picture on the sheet, in pixels.
  public var cellSide: Int
  /// A line above all pictures; empty for none.
  public var title: String

  /// A sheet.
  ///
  /// - Parameters:
  ///   - entries: The pictures, row by row.
  ///   - columns: How many lie side by side; as many as rows unless told. Below 1 counts as 1.
  ///   - cellSide: The longest side of a picture on the sheet, in pixels, at least 16.
  ///   - title: A line above all pictures.
  public init(_ entries: [Entry], columns: Int? = nil, cellSide: Int = 320, title: String = "") {
    self.entries = entries
    let square = Int(Double(entries.count).squareRoot().rounded(.up))
    self.columns = max(1, columns ?? square)
    self.cellSide = max(16, cellSide)
    self.title = title
  }

  /// The sheet as a picture.
  ///
  /// - Throws: `.nothingToDraw` without entries, `.traitDisabled`, `.libraryUnavailable`,
  ///   `.tooLarge` or `.failed`.
  public func rendered() throws(DrawingError) -> Picture {
    guard !entries.isEmpty else { throw DrawingError(.nothingToDraw) }
    #if Drawing
      let layout = SheetLayout(self)
      let canvas = try CairoCanvas(width: layout.width, height: layout.height)
      canvas.fill(layout.bounds, layout.ground)
      if !title.isEmpty { canvas.draw(.text(layout.titleText(title, canvas.textWidth))) }
      for (index, entry) in entries.enumerated() {
        try canvas.draw(entry, in: layout.place(of: index), layout)
      }
      return try canvas.picture()
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// Makes or replaces the file at `path`, in the format that its name's ending says; an SVG file
  /// holds the sheet as PNG.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - jpegQuality: 1...100, as for `Picture.jpegBytes(quality:)`; counts for JPEG only.
  /// - Throws: `.unknownFormat`, the reasons of `rendered()`, or `.picture` where the sheet cannot be
  ///   encoded or the file not written.
  public func write(to path: String, jpegQuality: Int = 90) throws(DrawingError) {
    try writeDrawing(to: path) { format throws(DrawingError) in
      try rendered().encoded(as: format, jpegQuality: jpegQuality)
    }
  }
}

#if Drawing
  extension CairoCanvas {
    /// Draws a picture, its boxes and its caption.
    fileprivate func draw(
      _ entry: ContactSheet.Entry, in place: SheetLayout.Place, _ layout: SheetLayout
    ) throws(DrawingError) {
      let small = try CairoCanvas(
        width: Int(place.picture.width), height: Int(place.picture.height))
      let whole = try CairoCanvas(over: entry.annotated.picture.upright())
      small.draw(whole, x: 0, y: 0, scale: place.scale)
      let drawing = DrawingInstructions(
        entry.annotated.boxes, regions: entry.annotated.regions,
        in: ImageSize(width: Int(place.picture.width), height: Int(place.picture.height)),
        style: entry.annotated.style, measureText: textWidth)
      for element in drawing.elements { small.draw(element) }
      draw(small, x: place.picture.x, y: place.picture.y, scale: 1)
      if !entry.caption.isEmpty {
        draw(.text(layout.captionText(entry.caption, place, textWidth)))
      }
    }
  }
#endif
