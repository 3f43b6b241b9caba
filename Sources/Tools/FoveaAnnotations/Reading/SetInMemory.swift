// Fovea - annotations placed in pictures of one size, without any file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry

extension AnnotatedSet {
  /// Places what a file says in pictures that are all stored with the same size and orientation.
  package init(_ raw: RawAnnotations, width: Int, height: Int, exif: Int = 1) {
    let size = PictureSize(
      stored: ImageSize(width: width, height: height), orientation: ImageOrientation(exif: exif))
    var placer = BoxPlacer(AnnotationOptions())
    let pictures = raw.pictures.map { picture in
      placer.begin(picture.name, size)
      placer.add(picture, Array(raw.labels.indices))
      return Picture(
        name: picture.name, path: picture.name, width: size.upright.width,
        height: size.upright.height, boxes: placer.boxes)
    }
    self.init(classes: raw.labels, pictures: pictures, findings: raw.findings + placer.findings)
  }
}

extension RawAnnotations {
  /// What a file seems to be, in a word; for fuzzing.
  package static func content(of bytes: [UInt8]) -> String {
    let content = bytes.withUnsafeBytes { AnnotationContent.of("", $0) }
    if case .annotations(let form) = content { return form.rawValue }
    return "\(content)"
  }

  /// The content of bytes; see `init(_:of:file:options:)`.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`.
  package init(
    _ bytes: [UInt8], of form: AnnotationForm, file: String = "annotations",
    options: AnnotationOptions = AnnotationOptions()
  ) throws(AnnotationError) {
    // The array's own function knows no typed errors.
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(AnnotationError) in
        try RawAnnotations(bytes, of: form, file: file, options: options)
      }
    }.get()
  }
}

extension YOLODescription {
  /// The content of bytes.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`.
  package init(_ bytes: [UInt8], file: String = "data.yaml") throws(AnnotationError) {
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(AnnotationError) in try YOLODescription(bytes, file: file) }
    }.get()
  }
}
