// Fovea - a set is read from a folder of pictures and the annotations for them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

extension AnnotatedSet {
  /// Reads pictures and the annotations for them. The form is recognized by content.
  ///
  /// - Parameters:
  ///   - folder: The folder of the pictures. Those in folders below it belong to it.
  ///   - annotations: The file or folder of the annotations; `nil` where they lie among the pictures.
  ///   - options: What the file does not say about itself.
  /// - Throws: `AnnotationError`, which names the file, the place, the cause and the remedy.
  public init(
    pictures folder: String, annotations: String? = nil,
    options: AnnotationOptions = AnnotationOptions()
  ) throws(AnnotationError) {
    let listing = try FolderListing(folder)
    let sources = try AnnotationSources(annotations, pictures: listing)
    self = try sources.read(options)
  }
}

extension AnnotatedSet {
  /// Reads annotations for pictures at any paths.
  ///
  /// - Throws: `AnnotationError`.
  package init(
    paths: [String], annotations: String, options: AnnotationOptions
  ) throws(AnnotationError) {
    self = try AnnotationSources(annotations, pictures: FolderListing(paths: paths)).read(options)
  }
}

extension AnnotatedSet {
  /// All pictures of a folder that can be read, without boxes.
  ///
  /// - Throws: `.file`, `.unclear` for a folder without pictures.
  package init(picturesAlone folder: String) throws(AnnotationError) {
    self = try AnnotationSources(pictures: FolderListing(folder)).picturesAlone()
  }
}

extension AnnotationForm {
  /// The form of a file of annotations, recognized by its content.
  ///
  /// - Throws: `.unclear` for what is none, `.file`.
  package init(ofFile path: String) throws(AnnotationError) {
    self = try AnnotationSources.form(of: path)
  }
}

extension AnnotationError {
  /// A file that cannot be read.
  init(_ error: FileError, file: String) {
    self.init(.file, file, error.description, error.remedy)
  }
}
