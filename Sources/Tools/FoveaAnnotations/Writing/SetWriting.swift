// Fovea - a set is written in one of seven forms.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

extension AnnotatedSet {
  /// Writes the annotations; pictures stay where they are.
  ///
  /// - Parameters:
  ///   - form: Any form but Label Studio's and VIA's.
  ///   - path: The file; for Pascal VOC, YOLO and LabelMe a folder. In a folder that is there, a file
  ///     gets the usual name of its form.
  /// - Returns: What the form cannot say.
  /// - Throws: `.notWritable`, `.file`.
  @discardableResult
  public func write(
    as form: AnnotationForm, to path: String
  ) throws(AnnotationError) -> [AnnotationFinding] {
    let files = try WrittenAnnotations(self, form, path)
    do throws(FileError) {
      for file in files.files {
        let target = file.name.isEmpty ? files.root : files.root + "/" + file.name
        let folder = PathText.folder(of: target)
        if !folder.isEmpty { try FilePath.makeFolders(folder) }
        // To wait for the disk at each of thousands of files would take minutes.
        guard files.files.count == 1 else {
          try FileBytes.write(Array(file.text.utf8), to: target)
          continue
        }
        let replacement = try FileReplacement(target)
        try replacement.write(Array(file.text.utf8))
        try replacement.commit()
      }
    } catch {
      throw AnnotationError(error, file: path)
    }
    return files.findings
  }
}

/// Annotations as texts of files.
package struct WrittenAnnotations {
  /// A file.
  package struct File {
    /// The path below the root; empty for the root itself.
    package var name: String
    package var text: String
  }

  /// The forms that are written.
  package static let forms: [AnnotationForm] = [
    .createML, .coco, .voc, .yolo, .labelMe, .cvat, .csv,
  ]

  /// The file, or the folder that the files lie in.
  package let root: String
  package private(set) var files: [File] = []
  /// What the form cannot say.
  package private(set) var findings: [AnnotationFinding] = []

  /// Writes a set to memory.
  ///
  /// - Throws: `.notWritable`.
  package init(
    _ set: AnnotatedSet, _ form: AnnotationForm, _ path: String
  ) throws(AnnotationError) {
    let isFolder = form.hasFileForPicture || path.hasSuffix("/") || FilePath.isFolder(path)
    root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    try Self.refuseControlCharacters(in: set, form, path)
    switch form {
    case .createML: files = [File(name: "annotations.json", text: CreateMLWriter.text(of: set))]
    case .coco: files = [File(name: "instances.json", text: CocoWriter.text(of: set))]
    case .cvat: files = [File(name: "annotations.xml", text: CVATWriter.text(of: set))]
    case .csv: files = [File(name: "annotations.csv", text: CSVWriter.text(of: set))]
    case .voc: files = try pictureFiles(set, "xml") { VOCWriter.text(of: $0, in: set) }
    case .labelMe:
      let root = root
      files = try pictureFiles(set, "json") { picture in
        LabelMeWriter.text(of: picture, in: set, below: root)
      }
    case .yolo:
      files = try pictureFiles(set, "txt") { YOLOWriter.text(of: $0) }
      for place in files.indices { files[place].name = YOLOWriter.labelPath(files[place].name) }
      files.append(File(name: "data.yaml", text: YOLOWriter.description(of: set)))
    case .labelStudio, .via:
      throw AnnotationError(
        .notWritable, path, "\(form.title) is read only",
        "these are written: \(Self.forms.map(\.rawValue).joined(separator: ", "))")
    }
    if !isFolder { files[0].name = "" }
    let ignored = set.pictures.lazy.flatMap(\.boxes).count { $0.isIgnored }
    if ignored > 0, form != .coco, form != .voc {
      findings.append(
        AnnotationFinding(
          .leftOut, nil,
          "\(ignored) boxes are neither to be found nor missed, which \(form.title) cannot say; "
            + "they are ordinary ones now"))
    }
  }

  /// A file for each picture, which has its name.
  private func pictureFiles(
    _ set: AnnotatedSet, _ ending: String, _ text: (AnnotatedSet.Picture) -> String
  ) throws(AnnotationError) -> [File] {
    var pictureOfFile: [String: String] = [:]
    var files: [File] = []
    for picture in set.pictures {
      let name = PathText.stem(of: picture.name) + "." + ending
      if let other = pictureOfFile.updateValue(picture.name, forKey: name) {
        throw AnnotationError(
          .notWritable, root + "/" + name, "would belong to \(other) and \(picture.name)",
          "give the pictures names that differ before the last point")
      }
      files.append(File(name: name, text: text(picture)))
    }
    return files
  }

  /// XML holds no control characters, and lines of other forms would break.
  private static func refuseControlCharacters(
    in set: AnnotatedSet, _ form: AnnotationForm, _ path: String
  ) throws(AnnotationError) {
    guard form == .voc || form == .cvat else { return }
    let texts = set.classes + set.pictures.map(\.name)
    guard
      let odd = texts.first(where: { text in
        text.unicodeScalars.contains {
          ($0.value < 0x20 && ![9, 10, 13].contains($0.value)) || $0.value == 0xFFFE
            || $0.value == 0xFFFF
        }
      })
    else { return }
    throw AnnotationError(
      .notWritable, path, "XML cannot hold the control characters of '\(odd)'", "rename it")
  }
}

/// Numbers of boxes as text.
enum BoxNumber {
  /// A number with at most so many digits behind the point, and no zeros at the end.
  static func text(_ number: Double, digits: Int = 6) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = (number.magnitude * Double(scale)).rounded()
    // Boxes of pictures are far below this.
    guard scaled < 9e15 else { return "\(number)" }
    let (whole, rest) = Int(scaled).quotientAndRemainder(dividingBy: scale)
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard rest > 0 else { return sign + "\(whole)" }
    var fraction = "\(rest)"
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return sign + "\(whole).\(fraction)"
  }
}
