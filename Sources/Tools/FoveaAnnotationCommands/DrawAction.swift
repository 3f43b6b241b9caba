// Fovea - fovea annotations draw: pictures with their boxes on one sheet.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
package import FoveaCommandLine
internal import FoveaDrawing
internal import FoveaGeometry
internal import FoveaImaging
internal import FoveaPlots

/// Draws pictures with their boxes on one sheet.
package enum DrawAction {
  private static let cellSide = 320

  package static func run(_ input: AnnotationInput, _ arguments: ArgumentList) throws {
    let output = try arguments.output()
    do throws(DrawingError) {
      _ = try DrawingFormat(forFile: output)
    } catch {
      throw UsageError("-o: \(error)")
    }
    let most = try arguments.integer("--max", in: 1...400) ?? 24
    input.reportFindings()
    let chosen = chosen(input.set, most)
    guard !chosen.isEmpty else { throw CommandFailure("\(input.name): has no pictures to draw") }
    let entries = try chosen.map { picture throws(CommandFailure) in
      try entry(picture, input.set.classes)
    }
    let title = "\(input.name): \(SetSummary(input.set).line)"
    do throws(DrawingError) {
      try ContactSheet(entries, cellSide: cellSide, title: title).write(to: output)
    } catch {
      throw CommandFailure("\(error)")
    }
    if arguments.has("--json") {
      try JSONOutput.write(SheetDocument(path: output, pictures: chosen.map(\.name)))
    } else {
      SystemInterface.reportWritten(output)
    }
  }

  /// Pictures from all parts of the set, those with boxes before others.
  private static func chosen(_ set: AnnotatedSet, _ most: Int) -> [AnnotatedSet.Picture] {
    let withBoxes = set.pictures.filter { !$0.boxes.isEmpty }
    let pictures = withBoxes.isEmpty ? set.pictures : withBoxes
    guard pictures.count > most else { return pictures }
    return (0..<most).map { pictures[$0 * pictures.count / most] }
  }

  private static func entry(
    _ picture: AnnotatedSet.Picture, _ classes: [String]
  ) throws(CommandFailure) -> ContactSheet.Entry {
    let image: Image
    do throws(ImageError) {
      image = try Image(
        contentsOf: picture.path, reduction: .covering(width: cellSide, height: cellSide))
    } catch {
      throw CommandFailure("\(error)")
    }
    let size = ImageSize(width: picture.width, height: picture.height)
    let boxes = picture.boxes.map { box in
      let rect = ImageRect(
        x: box.x, y: box.y, width: box.width, height: box.height, origin: .upperLeft)
      let label = classes[box.classIndex] + (box.isIgnored ? " (ignored)" : "")
      return LabeledBox(
        label: label, classIndex: box.classIndex,
        boundingBox: NormalizedRect(imageRect: rect, in: size))
    }
    return ContactSheet.Entry(AnnotatedImage(image, boxes: boxes), caption: picture.name)
  }
}

private struct SheetDocument: Encodable {
  var path: String
  var pictures: [String]
}
