// Fovea - the files of annotations among others, and their form.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles
internal import FoveaImaging

/// The files of annotations among others, and their form.
struct AnnotationSources {
  /// COCO's largest has 448 MiB.
  static let greatestPipe = 1 << 29

  private let listing: FolderListing
  private let pictures: [String]
  /// Where annotations were looked for.
  private var place: String
  /// Files of annotations by form, those of YOLO without the ones below.
  private var files: [AnnotationForm: [String]] = [:]
  /// Texts that may be labels of YOLO, by path.
  private var labels = YOLOLabelFiles()
  /// YOLO's descriptions.
  private var descriptions: [String] = []
  private var strangers: [AnnotationError] = []

  /// Looks for annotations.
  ///
  /// - Throws: `.file`, `.unclear`.
  init(_ annotations: String?, pictures listing: FolderListing) throws(AnnotationError) {
    self.init(pictures: listing)
    place = annotations ?? listing.root
    if let annotations, !FilePath.isFolder(annotations) {
      try add(annotations, isNamed: true)
    } else if let annotations, annotations != listing.root {
      let own = try FolderListing(annotations)
      labels.root = own.root
      for name in own.names where !PictureNames.isPicture(name) {
        try add(own.path(name), isNamed: false)
      }
    } else {
      labels.root = listing.root
      let isPicture = Set(pictures)
      for name in listing.names where !isPicture.contains(name) {
        try add(listing.path(name), isNamed: false)
      }
    }
  }

  /// Looks for pictures alone.
  init(pictures listing: FolderListing) {
    self.listing = listing
    place = listing.root
    pictures = listing.names.filter { name in
      PictureNames.isPicture(name) || Self.beginsLikePicture(listing.path(name))
    }
  }

  private static func beginsLikePicture(_ path: String) -> Bool {
    guard let file = try? RandomAccessFile(path), let head = try? file.read(at: 0, count: 32) else {
      return false
    }
    if case .picture = head.withUnsafeBytes({ AnnotationContent.of(path, $0) }) { return true }
    return false
  }

  /// Lends the bytes of a file.
  static func withBytes<Result>(
    of path: String, _ body: (UnsafeRawBufferPointer) throws(AnnotationError) -> Result
  ) throws(AnnotationError) -> Result {
    let content: FileContent
    do throws(FileError) {
      content = try FileContent(path, mappedIfBeginningWith: [], maximumReadCount: greatestPipe)
    } catch {
      throw AnnotationError(error, file: path)
    }
    return try content.withBytes(body)
  }

  /// Looks at a file.
  ///
  /// - Parameter isNamed: Whether the user has named it: it must be annotations then.
  private mutating func add(_ path: String, isNamed: Bool) throws(AnnotationError) {
    // Opening a pipe that nobody asked for would wait.
    guard isNamed || FilePath.isFileOrFolder(path) else { return }
    let content = try isNamed ? Self.namedContent(path) : Self.content(path)
    switch content {
    case .annotations(.yolo): labels.add(path, isSure: true)
    case .annotations(let form): files[form, default: []].append(path)
    case .description: descriptions.append(path)
    case .foreign(let error): strangers.append(error)
    case .text, .empty:
      if PathText.ending(of: path) == "txt" { labels.add(path, isSure: false) }
      if PathText.ending(of: path) == "names" { labels.addClassList(path) }
    case .picture, .other: break
    }
  }

  private static func content(_ path: String) throws(AnnotationError) -> AnnotationContent {
    try withBytes(of: path) { bytes throws(AnnotationError) in AnnotationContent.of(path, bytes) }
  }

  /// What a file is that the user has named: annotations, or it is refused.
  private static func namedContent(_ path: String) throws(AnnotationError) -> AnnotationContent {
    let content = try content(path)
    let cause: String
    switch content {
    case .annotations, .description: return content
    case .foreign(let error): throw error
    case .picture(let format): cause = "is a picture (\(format.rawValue)), no file of annotations"
    case .text: cause = "is text, but of no form that is read"
    case .empty: cause = "is empty"
    case .other: cause = "is no text"
    }
    throw AnnotationError(.unclear, path, cause, "these are read: \(AnnotationForm.allTitles)")
  }

  /// The form of a file of annotations.
  ///
  /// - Throws: `.unclear` for what is none.
  static func form(of path: String) throws(AnnotationError) -> AnnotationForm {
    if case .annotations(let form) = try namedContent(path) { form } else { .yolo }
  }

  // MARK: Reading

  /// Reads what was found.
  ///
  /// - Throws: `AnnotationError`.
  func read(_ options: AnnotationOptions) throws(AnnotationError) -> AnnotatedSet {
    var files = files
    if labels.hasSureOnes || !descriptions.isEmpty { files[.yolo] = descriptions + labels.sureOnes }
    guard let form = files.keys.first else {
      throw strangers.first
        ?? AnnotationError(
          .unclear, place, "holds no annotations",
          "name them by --annotations; these are read: \(AnnotationForm.allTitles)")
    }
    guard files.count == 1 else {
      let found = AnnotationForm.allCases.compactMap { form in
        files[form].map { "\($0[0]) (\(form.title))" }
      }
      throw AnnotationError(
        .unclear, place, "holds annotations of several forms: \(found.joined(separator: ", "))",
        "name one by --annotations")
    }
    try requirePictures()
    let index = PictureIndex(pictures, root: listing.root)
    var assembly = SetAssembly(index, listing, form, options)
    if form == .yolo {
      assembly = try labels.read(
        into: assembly, pictures: pictures, listing, descriptions: descriptions)
    } else {
      let paths = files[form] ?? []
      try refuseRivals(paths, form)
      for path in paths {
        let raw = try Self.withBytes(of: path) { bytes throws(AnnotationError) in
          try RawAnnotations(bytes, of: form, file: path, options: options)
        }
        assembly.add(raw, of: path)
      }
    }
    var set = assembly.finished()
    set.files = files[form] ?? []
    return set
  }

  /// All pictures, without boxes.
  ///
  /// - Throws: `.unclear` for none.
  func picturesAlone() throws(AnnotationError) -> AnnotatedSet {
    try requirePictures()
    let index = PictureIndex(pictures, root: listing.root)
    // In a form of lines, pictures that are not named are background.
    var assembly = SetAssembly(index, listing, .csv, AnnotationOptions())
    var set = assembly.finished()
    set.form = nil
    return set
  }

  private func requirePictures() throws(AnnotationError) {
    guard pictures.isEmpty else { return }
    throw AnnotationError(
      .unclear, listing.root, "holds no pictures", "name the folder of the pictures")
  }

  /// Two files of whole sets in one folder may say the same, or not.
  private func refuseRivals(_ paths: [String], _ form: AnnotationForm) throws(AnnotationError) {
    guard !form.hasFileForPicture else { return }
    var fileOfFolder: [String: String] = [:]
    for path in paths {
      guard let other = fileOfFolder.updateValue(path, forKey: PathText.folder(of: path)) else {
        continue
      }
      throw AnnotationError(
        .unclear, place, "holds two files of \(form.title): \(other), \(path)",
        "name one by --annotations")
    }
  }
}

extension RawAnnotations {
  /// The content of a file of a form that is not YOLO's.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`.
  package init(
    _ bytes: UnsafeRawBufferPointer, of form: AnnotationForm, file: String,
    options: AnnotationOptions
  ) throws(AnnotationError) {
    switch form {
    case .createML: self = try CreateMLReader.read(bytes, file: file, options: options)
    case .coco: self = try RawAnnotations(CocoDocument(bytes, file: file), file: file)
    case .voc: self = try VOCReader.read(bytes, file: file)
    case .labelMe: self = try LabelMeReader.read(bytes, file: file)
    case .cvat: self = try CVATReader.read(bytes, file: file)
    case .csv: self = try CSVReader.read(bytes, file: file)
    case .labelStudio: self = try LabelStudioReader.read(bytes, file: file)
    case .via: self = try VIAReader.read(bytes, file: file)
    case .yolo: self = RawAnnotations()
    }
  }
}
