// Fovea - what a file seems to be, by its content.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaImaging
internal import FoveaJSON

/// What a file seems to be, by its content.
enum AnnotationContent {
  /// Annotations of a form. For YOLO: labels of one picture.
  case annotations(AnnotationForm)
  /// YOLO's description of a data set.
  case description
  /// A picture.
  case picture(ImageFormat)
  /// A text that may be anything.
  case text
  /// Nothing.
  case empty
  /// JSON or XML of another kind; with what it is not.
  case foreign(AnnotationError)
  /// Bytes that are no text.
  case other

  /// Looks at a file.
  static func of(_ path: String, _ bytes: UnsafeRawBufferPointer) -> AnnotationContent {
    if let format = ImageFormat(startOf: Array(bytes.prefix(32))) { return .picture(format) }
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = bytes[start...].firstIndex(where: { !isSpace($0) }) else { return .empty }
    switch bytes[first] {
    case UInt8(ascii: "["), UInt8(ascii: "{"): return json(bytes, path)
    case UInt8(ascii: "<"): return xml(bytes, path)
    default: break
    }
    let head = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(1 << 16))
    guard head.allSatisfy({ $0 >= 0x20 || isSpace($0) }) else { return .other }
    return text(head)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func text(_ head: UnsafeRawBufferPointer) -> AnnotationContent {
    let lines = head.split(maxSplits: 200, whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    if let first = lines.first,
      CSVReader.isHeader(UnsafeRawBufferPointer(rebasing: first))
    {
      return .annotations(.csv)
    }
    if lines.contains(where: { $0.starts(with: "names:".utf8) || $0.starts(with: "nc:".utf8) }) {
      return .description
    }
    let words =
      lines.first { !$0.allSatisfy(isSpace) }
      .map { String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace) } ?? []
    let isLabel = words.count >= 5 && words.allSatisfy { Double($0) != nil }
    return isLabel ? .annotations(.yolo) : .text
  }

  // MARK: XML

  private static func xml(_ bytes: UnsafeRawBufferPointer, _ path: String) -> AnnotationContent {
    switch XMLRoot.name(in: bytes) {
    case "annotation": .annotations(.voc)
    case "annotations": .annotations(.cvat)
    case let name:
      .foreign(
        AnnotationError(
          .unclear, path,
          name.map {
            "is XML of '\($0)', neither 'annotation' (Pascal VOC) nor 'annotations' (CVAT)"
          }
            ?? "is no XML of annotations", "export it as Pascal VOC or CVAT"))
    }
  }

  // MARK: JSON

  private static func json(_ bytes: UnsafeRawBufferPointer, _ path: String) -> AnnotationContent {
    var keys = JSONKeys()
    do throws(AnnotationError) {
      try JSONAnnotations.parse(bytes, file: path) { parser throws(JSONError) in
        try keys.read(&parser)
      }
    } catch {
      // Reading ends where the form is known, or where the document is damaged.
      if keys.form == nil, !keys.isForeign { return .foreign(error) }
    }
    return keys.form.map { .annotations($0) } ?? foreign(path)
  }

  private static func foreign(_ path: String) -> AnnotationContent {
    .foreign(
      AnnotationError(
        .unclear, path,
        "neither a list (Create ML) nor an object with images and annotations (COCO)",
        "export it in one of the forms that are read: \(AnnotationForm.allTitles)"))
  }
}

/// The name of the first element of an XML document, found without parsing it.
private enum XMLRoot {
  static func name(in bytes: UnsafeRawBufferPointer) -> String? {
    var rest = bytes.prefix(1 << 16)
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(open + 1)...]
      if rest.starts(with: "!--".utf8) {
        skip(&rest, behind: "-->")
      } else if rest.starts(with: "?".utf8) {
        skip(&rest, behind: "?>")
      } else if rest.starts(with: "!DOCTYPE".utf8) {
        // Behind the declarations of its own, if it has some.
        let end = rest.firstIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ">") }
        guard let end else { return nil }
        if rest[end] == UInt8(ascii: "[") { skip(&rest, behind: "]") } else { rest = rest[end...] }
      } else {
        let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: name, as: UTF8.self)
      }
    }
    return nil
  }

  private static func skip(_ rest: inout Slice<UnsafeRawBufferPointer>, behind end: StaticString) {
    let end = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
    while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
    rest = rest.dropFirst(end.count)
  }
}
