// Fovea - pictures with boxes in a report.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaDrawing
package import FoveaEvaluation
internal import FoveaFiles
internal import FoveaImaging

/// A box in a picture of a report.
package struct ReportBox: Sendable {
  /// What the box says; the page gives each a color.
  package enum Meaning: String, Sendable {
    case there, right, wrong
    /// Not what the picture is shown for.
    case muted
  }

  package var box: PixelBox
  package var text: String
  package var meaning: Meaning

  package init(_ box: PixelBox, _ text: String, _ meaning: Meaning) {
    (self.box, self.text, self.meaning) = (box, text, meaning)
  }
}

/// Pictures that a report shows: files beside its page or a part of it, and elements that draw
/// boxes over them.
struct ReportPictures {
  /// Whether the page holds the pictures, so that it can be sent as one file.
  let areEmbedded: Bool
  private(set) var files: [(name: String, bytes: [UInt8])] = []
  /// The numbers of embedded pictures by their keys; the page holds each once.
  private var numbers: [String: Int] = [:]

  init(areEmbedded: Bool = false) { self.areEmbedded = areEmbedded }

  /// Few see more on a page; a photograph of 12 megapixels has 1008 columns at a quarter.
  private static let side = (width: 800, height: 600)
  /// The longest side of an embedded picture stays below twice this.
  private static let embeddedSide = 400

  /// Adds the upright picture in a file, and returns an element for each list of boxes.
  ///
  /// - Throws: `ImageError`.
  mutating func add(
    _ file: ImageFile, _ lists: [[ReportBox]]
  ) throws(ImageError) -> [String] {
    let image = try file.decoded(
      reduction: .covering(width: Self.side.width, height: Self.side.height)
    ).upright()
    let (width, height) = (file.header.uprightWidth, file.header.uprightHeight)
    let name = NumberText.padded(files.count + 1, digits: 3) + ".jpg"
    files.append((name, try image.jpegBytes(quality: 85)))
    let link = """
      <image href="images/\(name)" width="\(width)" height="\(height)"/>
      """
    return lists.map { Self.element(link, width: width, height: height, $0) }
  }

  /// Embeds a picture, and returns an element for each list of boxes.
  ///
  /// - Parameters:
  ///   - key: Pictures of one key are the same.
  ///   - size: The size in whose pixels boxes are.
  ///   - load: The upright picture, in any size.
  /// - Throws: What `load` throws, and `ImageError`.
  mutating func embed(
    _ key: String, size: (width: Int, height: Int), _ lists: [[ReportBox]],
    load: () throws -> Image
  ) throws -> [String] {
    var links: [String] = []
    for _ in lists {
      if let number = numbers[key] {
        links.append("<use href=\"#picture-\(number)\"/>")
        continue
      }
      let image = try load().reduced(to: Self.embeddedSide)
      let number = numbers.count + 1
      numbers[key] = number
      var text: [UInt8] = []
      appendBase64(of: try image.jpegBytes(quality: 80), to: &text)
      links.append(
        """
        <image id="picture-\(number)" width="\(size.width)" height="\(size.height)" \
        preserveAspectRatio="none" href="data:image/jpeg;base64,\(String(decoding: text, as: UTF8.self))"/>
        """)
    }
    // These are shown smaller than the others.
    return zip(links, lists).map { link, boxes in
      Self.element(link, width: size.width, height: size.height, boxes, strokes: 150)
    }
  }

  /// Boxes are in pixels of the upright file, whatever the size of the picture.
  ///
  /// - Parameter strokes: How many lines fit into the longer side.
  private static func element(
    _ link: String, width: Int, height: Int, _ boxes: [ReportBox], strokes: Double = 260
  ) -> String {
    let stroke = Double(max(width, height)) / strokes
    let letters = stroke * 7
    var text = """
      <svg viewBox="0 0 \(width) \(height)" role="img" aria-label="\(boxes.count) boxes">\
      \(link)
      """
    for box in boxes {
      // White is seen on most pictures, whatever the colors of the page.
      let style =
        box.meaning == .muted
        ? "stroke=\"#fff\" stroke-opacity=\"0.75\" stroke-width=\"\(decimal(stroke / 2))\""
        : "stroke=\"var(--\(box.meaning.rawValue))\" stroke-width=\"\(decimal(stroke))\""
      text += """
        <rect x="\(decimal(box.box.x))" y="\(decimal(box.box.y))" \
        width="\(decimal(box.box.width))" height="\(decimal(box.box.height))" fill="none" \
        \(style)/>
        """
      if !box.text.isEmpty {
        text += label(box, width: width, stroke: stroke, letters: letters)
      }
    }
    return text + "</svg>"
  }

  private static func label(
    _ box: ReportBox, width: Int, stroke: Double, letters: Double
  ) -> String {
    let y = box.box.y
    // Above the box where there is room, else inside.
    let line = y > letters * 1.2 ? y - letters * 0.3 : y + letters
    // Letters have about 0.6 of their height as width. Text stays inside the picture.
    let length = Double(box.text.count) * 0.6 * letters
    let x = max(0, min(box.box.x + stroke, Double(width) - length))
    return """
      <text x="\(decimal(x))" y="\(decimal(line))" \
      font-size="\(decimal(letters))" fill="var(--\(box.meaning.rawValue))" \
      stroke="var(--ground)" stroke-width="\(decimal(stroke))" paint-order="stroke" \
      font-weight="600">\(HTMLPage.text(box.text))</text>
      """
  }
}

extension Image {
  /// An upright picture whose longer side is below twice `side`: means of whole squares of pixels.
  fileprivate func reduced(to side: Int) throws(ImageError) -> Image {
    let factor = max(width, height) / max(side, 1)
    guard factor > 1 else { return self }
    let (columns, rows) = (max(width / factor, 1), max(height / factor, 1))
    var pixels = [UInt8](repeating: 0, count: columns * rows * 3)
    let (across, down) = (min(factor, width), min(factor, height))
    for row in 0..<rows {
      for column in 0..<columns {
        var sums = SIMD4<UInt32>(repeating: UInt32(across * down / 2))
        for y in row * factor..<row * factor + down {
          var place = (y * width + column * factor) * 3
          for _ in 0..<across {
            sums &+= SIMD4(UInt32(rgb[place]), UInt32(rgb[place + 1]), UInt32(rgb[place + 2]), 0)
            place += 3
          }
        }
        let place = (row * columns + column) * 3
        for channel in 0..<3 {
          pixels[place + channel] = UInt8(sums[channel] / UInt32(across * down))
        }
      }
    }
    return try Image(width: columns, height: rows, rgb: pixels)
  }
}

/// A report's folder: the page and its pictures, complete or not there.
enum ReportFolder {
  /// The page's name.
  static let page = "index.html"

  /// - Throws: `FileError` for a folder that cannot be written, or that holds something else.
  static func write(_ page: HTMLPage, _ pictures: ReportPictures, to path: String) throws(FileError)
  {
    let folder = try FolderReplacement(path, replacing: Self.page)
    for (name, bytes) in pictures.files { try folder.write(bytes, to: ["images", name]) }
    try folder.write(page.bytes, to: [Self.page])
    try folder.commit()
  }
}
