// Fovea - where images and captions of a contact sheet lie.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDrawing
internal import FoveaGeometry
internal import FoveaImaging

/// Where images and captions of a contact sheet lie, in pixels.
///
/// A row is as high as its highest image, a column as wide as its widest one; images lie in the
/// middle of their cells, captions below.
struct SheetLayout {
  /// Where an image lies.
  struct Place {
    /// The image: whole pixels.
    var image: ImageRect
    /// How much smaller it is than the original, 0...1, or how many times larger.
    var scale: Double
    /// The cell without its caption.
    var cell: ImageRect
  }

  /// Width of the sheet.
  let width: Int
  /// Height of the sheet.
  let height: Int
  /// The color of the sheet.
  let ground = DrawingColor(red: 250, green: 250, blue: 250)

  private let textColor = DrawingColor(red: 34, green: 34, blue: 34)
  private let gap: Double
  private let fontSize: Double
  private let titleHeight: Double
  private let places: [Place]

  init(_ sheet: ContactSheet) {
    let side = Double(sheet.cellSide)
    fontSize = max(11, side / 24)
    gap = fontSize.rounded()
    titleHeight = sheet.title.isEmpty ? 0 : (2 * fontSize).rounded()
    let hasCaptions = sheet.entries.contains { !$0.caption.isEmpty }
    let captionHeight = hasCaptions ? (1.7 * fontSize).rounded() : 0
    let columns = min(sheet.columns, max(1, sheet.entries.count))
    let sizes = sheet.entries.map { entry in
      let (width, height) = (
        Double(entry.annotated.image.uprightWidth), Double(entry.annotated.image.uprightHeight)
      )
      let fitting = min(side / width, side / height)
      let scale = fitting < 1 ? fitting : fitting.rounded(.down)
      return (
        width: max(1, (width * scale).rounded()), height: max(1, (height * scale).rounded()),
        scale: scale
      )
    }
    var columnWidths = [Double](repeating: 0, count: columns)
    var rowHeights = [Double](
      repeating: 0, count: (sheet.entries.count + columns - 1) / columns)
    for (index, size) in sizes.enumerated() {
      columnWidths[index % columns] = max(columnWidths[index % columns], size.width)
      rowHeights[index / columns] = max(rowHeights[index / columns], size.height)
    }
    let lefts = starts(of: columnWidths, from: gap, gap: gap)
    let tops = starts(of: rowHeights, from: gap + titleHeight, gap: gap + captionHeight)
    places = sizes.enumerated().map { index, size in
      let (column, row) = (index % columns, index / columns)
      let cell = ImageRect(
        x: lefts[column], y: tops[row], width: columnWidths[column], height: rowHeights[row],
        origin: .upperLeft)
      let image = ImageRect(
        x: cell.x + ((cell.width - size.width) / 2).rounded(.down),
        y: cell.y + ((cell.height - size.height) / 2).rounded(.down), width: size.width,
        height: size.height, origin: .upperLeft)
      return Place(image: image, scale: size.scale, cell: cell)
    }
    width = Int(lefts[columns])
    height = Int(tops[rowHeights.count])
  }

  /// The whole sheet.
  var bounds: ImageRect {
    ImageRect(x: 0, y: 0, width: Double(width), height: Double(height), origin: .upperLeft)
  }

  /// Where an image lies.
  func place(of index: Int) -> Place { places[index] }

  /// The line above all images, from the left.
  func titleText(_ title: String, _ measure: (String, Double) -> Double) -> TextElement {
    let size = 1.25 * fontSize
    let text = singleLine(title)
    let anchor = ImagePoint(x: gap, y: gap + size, origin: .upperLeft)
    return line(text, anchor, size, room: Double(width) - 2 * gap, measure)
  }

  /// The line below an image, in the middle.
  func captionText(
    _ caption: String, _ place: Place, _ measure: (String, Double) -> Double
  ) -> TextElement {
    let text = singleLine(caption)
    let anchor = ImagePoint(x: 0, y: place.cell.maxY + 1.25 * fontSize, origin: .upperLeft)
    // A caption may use the gap on both sides.
    let room = place.cell.width + 0.8 * gap
    var line = line(text, anchor, fontSize, room: room, measure)
    line.anchor.x = place.cell.midX - line.width / 2
    return line
  }

  /// A line that is made smaller until it fits.
  private func line(
    _ text: String, _ anchor: ImagePoint, _ size: Double, room: Double,
    _ measure: (String, Double) -> Double
  ) -> TextElement {
    let natural = measure(text, size)
    let scale = natural > room ? room / natural : 1
    return TextElement(
      text: text, anchor: anchor, fontSize: size * scale, width: natural * scale,
      color: textColor)
  }
}

/// Where stretches of given lengths begin that follow each other with gaps, and where the one after
/// the last would.
private func starts(of lengths: [Double], from first: Double, gap: Double) -> [Double] {
  lengths.reduce(into: [first]) { starts, length in
    starts.append((starts.last ?? first) + length + gap)
  }
}
