// Fovea - tables with a row for each box.
// SPDX-License-Identifier: Apache-2.0

/// Reads tables with a row for each box: those of Turi Create's examples, TensorFlow's, and Open
/// Images', whose numbers are shares of the picture.
struct CSVReader {
  private let columns: Columns
  private var raw = RawAnnotations()
  private var placeOfPicture: [String: Int] = [:]

  /// Where what stands in a row.
  private struct Columns {
    var picture: Int
    var label: Int
    /// Left, top, right and bottom.
    var edges: [Int]
    var width: Int?
    var height: Int?
    var isGroup: Int?
    var isShare: Bool

    init?(_ header: [String]) {
      let names = header.map { $0.withoutOuterSpaces.lowercased() }
      func first(_ candidates: [String], but other: Int? = nil) -> Int? {
        for name in candidates {
          if let place = names.firstIndex(of: name), place != other { return place }
        }
        return nil
      }
      let edges = ["xmin", "ymin", "xmax", "ymax"].compactMap(names.firstIndex)
      guard edges.count == 4,
        let picture = first([
          "imagefilename", "filename", "file_name", "image", "imageid", "image_id", "path",
          "image_path", "name",
        ]),
        let label = first(
          ["label", "class", "labelname", "class_name", "category", "name"], but: picture)
      else { return nil }
      (self.picture, self.label, self.edges) = (picture, label, edges)
      (width, height) = (names.firstIndex(of: "width"), names.firstIndex(of: "height"))
      isGroup = names.firstIndex(of: "isgroupof")
      isShare = names.contains("imageid") && names.contains("labelname")
    }
  }

  private init(_ columns: Columns) { self.columns = columns }

  /// Whether a line is the header of such a table.
  static func isHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    var rows = CSVRows(line, file: "")
    guard let row = try? rows.next() else { return false }
    return Columns(row.cells) != nil
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: `.malformed`.
  static func read(
    _ bytes: UnsafeRawBufferPointer, file: String
  ) throws(AnnotationError) -> RawAnnotations {
    var rows = CSVRows(bytes, file: file)
    guard let header = try rows.next(), let columns = Columns(header.cells) else {
      throw AnnotationError(
        .malformed, file, at: .line(1), "the first line does not name the columns",
        "expected name, label, xMin, xMax, yMin and yMax")
    }
    var reader = CSVReader(columns)
    while let row = try rows.next() { try reader.add(row, header.cells, rows) }
    return reader.raw
  }

  private mutating func add(
    _ row: CSVRows.Row, _ header: [String], _ rows: CSVRows
  ) throws(AnnotationError) {
    guard row.cells.count == header.count else {
      throw rows.error(
        "has \(row.cells.count) cells, and the first line \(header.count)", at: row.line)
    }
    func number(_ column: Int) throws(AnnotationError) -> Double {
      let text = row.cells[column].withoutOuterSpaces
      guard let number = text.finiteNumber else {
        throw rows.error("\(header[column]) is '\(text)', not a number", at: row.line)
      }
      return number
    }
    let name = row.cells[columns.picture]
    guard !name.isEmpty else { throw rows.error("names no picture", at: row.line) }
    let place = placeOfPicture[name] ?? raw.pictures.count
    if place == raw.pictures.count {
      placeOfPicture[name] = place
      raw.pictures.append(.init(name: name))
      if let width = columns.width, let height = columns.height {
        raw.pictures[place].width = try number(width)
        raw.pictures[place].height = try number(height)
      }
    }
    let label = row.cells[columns.label]
    // A row without a box stands for a picture without objects.
    if label.isEmpty, columns.edges.allSatisfy({ row.cells[$0].isEmpty }) { return }
    var rectangle = RawRectangle(
      left: try number(columns.edges[0]), top: try number(columns.edges[1]),
      right: try number(columns.edges[2]), bottom: try number(columns.edges[3]))
    rectangle.isShare = columns.isShare
    let isGroup = columns.isGroup.map { row.cells[$0].withoutOuterSpaces == "1" } ?? false
    raw.pictures[place].boxes.append(
      .init(label: raw.label(label), rectangle: rectangle, isIgnored: isGroup))
  }
}
