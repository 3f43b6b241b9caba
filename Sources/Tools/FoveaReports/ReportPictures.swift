// Fovea - pictures with boxes in a report.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaDrawing
package import FoveaEvaluation
internal import FoveaFiles
internal import FoveaImaging

/// A box in a picture of a report.
package struct ReportBox: Sendable {
  /// What the box says; the page gives each a color.
  package enum Meaning: String, Sendable {
    case there, right, wrong
  }

  package var box: PixelBox
  package var text: String
  package var meaning: Meaning

  package init(_ box: PixelBox, _ text: String, _ meaning: Meaning) {
    (self.box, self.text, self.meaning) = (box, text, meaning)
  }
}

/// Pictures that a report shows: files beside its page, and elements that draw boxes over them.
struct ReportPictures {
  private(set) var files: [(name: String, bytes: [UInt8])] = []

  /// Adds the upright picture in a file, and returns an element for each list of boxes.
  ///
  /// - Throws: `ImageError`.
  mutating func add(
    _ file: ImageFile, _ lists: [[ReportBox]]
  ) throws(ImageError) -> [String] {
    // Few see more on a page; a photograph of 12 megapixels has 1008 columns at a quarter.
    let image = try file.decoded(reduction: .covering(width: 800, height: 600)).upright()
    let number = "\(files.count + 1)"
    let name = String(repeating: "0", count: max(0, 3 - number.count)) + number + ".jpg"
    files.append((name, try image.jpegBytes(quality: 85)))
    let (width, height) = (file.header.uprightWidth, file.header.uprightHeight)
    return lists.map { Self.element(name, width: width, height: height, $0) }
  }

  /// Boxes are in pixels of the upright file, whatever the size of the picture.
  private static func element(
    _ name: String, width: Int, height: Int, _ boxes: [ReportBox]
  ) -> String {
    let stroke = Double(max(width, height)) / 260
    let letters = stroke * 7
    var text = """
      <svg viewBox="0 0 \(width) \(height)" role="img" aria-label="\(boxes.count) boxes">\
      <image href="images/\(name)" width="\(width)" height="\(height)"/>
      """
    for box in boxes {
      let (x, y) = (box.box.x, box.box.y)
      // Above the box where there is room, else inside.
      let line = y > letters * 1.2 ? y - letters * 0.3 : y + letters
      text += """
        <rect x="\(decimal(x))" y="\(decimal(y))" width="\(decimal(box.box.width))" \
        height="\(decimal(box.box.height))" fill="none" stroke="var(--\(box.meaning.rawValue))" \
        stroke-width="\(decimal(stroke))"/><text x="\(decimal(x + stroke))" y="\(decimal(line))" \
        font-size="\(decimal(letters))" fill="var(--\(box.meaning.rawValue))" \
        stroke="var(--ground)" stroke-width="\(decimal(stroke))" paint-order="stroke" \
        font-weight="600">\(HTMLPage.text(box.text))</text>
        """
    }
    return text + "</svg>"
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
