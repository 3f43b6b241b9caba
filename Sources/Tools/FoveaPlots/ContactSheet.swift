// Fovea - many small images on one.
// SPDX-License-Identifier: Apache-2.0
public import FoveaDrawing
internal import FoveaGeometry
public import FoveaImaging

/// A grid of images with captions, drawn by cairo.
///
/// Images are turned upright, and made smaller if they do not fit. Small images are enlarged by a
/// whole factor, each pixel as a square, so that you can count the pixels that a network sees.
/// Boxes are drawn in the resolution of the sheet, so that their labels are readable.
public struct ContactSheet: Sendable {
  /// An image of the sheet.
  public struct Entry: Sendable {
    /// The image, with its boxes and regions. Its `style` is for pixels of the sheet.
    public var annotated: AnnotatedImage
    /// A line of text below the image; empty for none.
    public var caption: String

    /// Creates an entry with a caption.
    public init(_ annotated: AnnotatedImage, caption: String = "") {
      self.annotated = annotated
      self.caption = caption
    }

    /// Creates an entry without boxes.
    public init(_ image: Image, caption: String = "") {
      self.init(AnnotatedImage(image), caption: caption)
    }
  }

  /// The images, row by row.
  public var entries: [Entry]
  /// The number of images in a row.
  public var columns: Int
  /// The longest side of an image on the sheet, in pixels.
  public var cellSide: Int
  /// A line of text above all images; empty for none.
  public var title: String

  /// Creates a sheet.
  ///
  /// - Parameters:
  ///   - entries: The images, row by row.
  ///   - columns: The number of images in a row; `nil` for as many as rows. Values below 1 count as
  ///     1.
  ///   - cellSide: The longest side of an image on the sheet, in pixels, at least 16.
  ///   - title: A line of text above all images.
  public init(_ entries: [Entry], columns: Int? = nil, cellSide: Int = 320, title: String = "") {
    self.entries = entries
    let square = Int(Double(entries.count).squareRoot().rounded(.up))
    self.columns = max(1, columns ?? square)
    self.cellSide = max(16, cellSide)
    self.title = title
  }

  /// The sheet as an image.
  ///
  /// - Throws: `.nothingToDraw` without entries, `.traitDisabled`, `.libraryUnavailable`,
  ///   `.tooLarge` or `.failed`.
  public func rendered() throws(DrawingError) -> Image {
    guard !entries.isEmpty else { throw DrawingError(.nothingToDraw) }
    #if Drawing
      let layout = SheetLayout(self)
      let canvas = try CairoCanvas(width: layout.width, height: layout.height)
      canvas.fill(layout.bounds, layout.ground)
      if !title.isEmpty { canvas.draw(.text(layout.titleText(title, canvas.textWidth))) }
      for (index, entry) in entries.enumerated() {
        try canvas.draw(entry, in: layout.place(of: index), layout)
      }
      return try canvas.image()
    #else
      throw DrawingError(.traitDisabled)
    #endif
  }

  /// Creates or replaces the file at `path`, in the format that the extension of its name says. An
  /// SVG file contains the sheet as PNG.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - jpegQuality: 1...100, as for `Image.jpegBytes(quality:)`; for JPEG only.
  /// - Throws: `.unknownFormat`, the reasons of `rendered()`, or `.image` if the sheet cannot be
  ///   encoded or the file cannot be written.
  public func write(to path: String, jpegQuality: Int = 90) throws(DrawingError) {
    try writeDrawing(to: path) { format throws(DrawingError) in
      try rendered().encoded(as: format, jpegQuality: jpegQuality)
    }
  }
}

#if Drawing
  extension CairoCanvas {
    /// Draws an image, its boxes and its caption.
    fileprivate func draw(
      _ entry: ContactSheet.Entry, in place: SheetLayout.Place, _ layout: SheetLayout
    ) throws(DrawingError) {
      let small = try CairoCanvas(
        width: Int(place.image.width), height: Int(place.image.height))
      let whole = try CairoCanvas(over: entry.annotated.image.upright())
      small.draw(whole, x: 0, y: 0, scale: place.scale)
      let drawing = DrawingInstructions(
        entry.annotated.boxes, regions: entry.annotated.regions,
        in: ImageSize(width: Int(place.image.width), height: Int(place.image.height)),
        style: entry.annotated.style, measureText: textWidth)
      for element in drawing.elements { small.draw(element) }
      draw(small, x: place.image.x, y: place.image.y, scale: 1)
      if !entry.caption.isEmpty {
        draw(.text(layout.captionText(entry.caption, place, textWidth)))
      }
    }
  }
#endif
