// Fovea - YOLO's files of labels, and the pictures that they belong to.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// YOLO's files of labels. A picture's has its name, and lies beside it, or in a folder `labels` beside
/// its folder `images`, or in the folder that was named.
struct YOLOLabelFiles {
  /// The folder that was looked through.
  var root: String?
  /// Files by their path without ending.
  private var fileOfStem: [String: String] = [:]
  private(set) var sureOnes: [String] = []
  private var classLists: [String] = []

  var hasSureOnes: Bool { !sureOnes.isEmpty }

  /// Adds a file.
  ///
  /// - Parameter isSure: Whether its content is that of labels.
  mutating func add(_ path: String, isSure: Bool) {
    fileOfStem[PathText.normalized(PathText.stem(of: path))] = path
    if isSure {
      sureOnes.append(path)
    } else if path.split(separator: "/").last == "classes.txt" {
      addClassList(path)
    }
  }

  /// Adds a list of classes.
  mutating func addClassList(_ path: String) { classLists.append(path) }

  /// Reads the labels of all pictures.
  ///
  /// - Throws: `.malformed`, `.libraryUnavailable`, `.unclear`.
  func read(
    into assembly: SetAssembly, pictures: [String], _ listing: FolderListing, descriptions: [String]
  ) throws(AnnotationError) -> SetAssembly {
    guard descriptions.count < 2 else {
      throw AnnotationError(
        .unclear, descriptions[0], "is not the only description: \(descriptions[1])",
        "name one by --annotations")
    }
    var assembly = assembly
    var description = try nearDescription()
    if let path = descriptions.first { description = try Self.description(path) }
    var files = self
    if root == nil { try files.addAll(below: listing) }
    let chosen = description.map { $0.chosen(pictures, listing) } ?? Set(pictures.indices)
    var unused = Set(files.sureOnes)
    var objects: [(picture: Int, file: String, lines: [YOLOLabelLines.Object])] = []
    for place in pictures.indices {
      guard let file = files.file(for: pictures[place], listing) else {
        if chosen.contains(place) { objects.append((place, "", [])) }
        continue
      }
      unused.remove(file)
      guard chosen.contains(place) else { continue }
      objects.append((place, file, try Self.objects(file, description)))
    }
    for file in unused.sorted() {
      assembly.add(AnnotationFinding(.missingPicture, file, "no such picture"))
    }
    try add(objects, description, to: &assembly)
    return assembly
  }

  private func add(
    _ objects: [(picture: Int, file: String, lines: [YOLOLabelLines.Object])],
    _ description: YOLODescription?, to assembly: inout SetAssembly
  ) throws(AnnotationError) {
    let greatest = objects.lazy.flatMap(\.lines).map(\.classIndex).max() ?? -1
    let names = description?.names ?? []
    let hasNames = !names.isEmpty
    var raw = RawAnnotations()
    raw.hasListedLabels = true
    raw.hasNumbersForLabels = !hasNames
    let labels = (hasNames ? names : (0..<(greatest + 1)).map { "\($0)" }).map { raw.label($0) }
    for (_, file, lines) in objects {
      var entry = RawAnnotations.Picture(name: "")
      for object in lines {
        guard object.classIndex < labels.count else {
          throw AnnotationError(
            .malformed, file, at: .line(object.line),
            "class \(object.classIndex), but \(description?.shortName ?? "") names \(names.count)",
            "add its name, or correct the number; classes count from 0")
        }
        entry.boxes.append(
          .init(
            label: labels[object.classIndex], rectangle: object.rectangle, shape: object.shape))
      }
      raw.pictures.append(entry)
    }
    assembly.add(raw, at: objects.map(\.picture))
  }

  private static func objects(
    _ file: String, _ description: YOLODescription?
  ) throws(AnnotationError) -> [YOLOLabelLines.Object] {
    try AnnotationSources.withBytes(of: file) { bytes throws(AnnotationError) in
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw AnnotationError(.malformed, file, "is no text in UTF-8", "export it again")
      }
      return try YOLOLabelLines.objects(
        in: text, file: file, keyPointNumbers: description?.keyPointNumbers)
    }
  }

  // MARK: Where labels lie

  private mutating func addAll(below listing: FolderListing) throws(AnnotationError) {
    for name in listing.names where PathText.ending(of: name) == "txt" {
      add(listing.path(name), isSure: false)
    }
  }

  /// The file of a picture's labels.
  private func file(for picture: String, _ listing: FolderListing) -> String? {
    let stem = PathText.stem(of: picture)
    let fileName = String(stem.split(separator: "/").last ?? "")
    var names = [stem, fileName]
    if let moved = Self.moved(stem) { names.insert(moved, at: 0) }
    var candidates = Self.moved(listing.path(stem)).map { [$0] } ?? []
    for folder in [root, listing.root].compactMap({ $0 }) {
      candidates += names.map { PathText.joined(folder, $0) }
      candidates += names.map { PathText.joined(PathText.joined(folder, "labels"), $0) }
    }
    return candidates.lazy.compactMap { fileOfStem[PathText.normalized($0)] }.first
  }

  /// The path with its last folder `images` replaced by `labels`.
  private static func moved(_ path: String) -> String? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let images = parts.lastIndex(of: "images") else { return nil }
    parts[images] = "labels"
    return parts.joined(separator: "/")
  }

  // MARK: Names

  private static func description(_ path: String) throws(AnnotationError) -> YOLODescription {
    try AnnotationSources.withBytes(of: path) { bytes throws(AnnotationError) in
      if case .description = AnnotationContent.of(path, bytes) {
        return try YOLODescription(bytes, file: path)
      }
      return YOLODescription(lines: String(decoding: bytes, as: UTF8.self), file: path)
    }
  }

  /// A list of classes among the labels, else a description in one of the two folders above.
  private func nearDescription() throws(AnnotationError) -> YOLODescription? {
    if let list = classLists.first { return try Self.description(list) }
    guard let root else { return nil }
    for folder in [root + "/..", root + "/../.."] {
      for name in ["data.yaml", "data.yml", "classes.txt"] {
        let path = PathText.normalized(folder + "/" + name)
        guard FilePath.isFileOrFolder(path) else { continue }
        return try Self.description(path)
      }
    }
    return nil
  }
}

extension YOLODescription {
  /// The name of its file.
  var shortName: String { String(file.split(separator: "/").last ?? "") }

  /// The pictures in the folders that are named; all where none of them is there.
  func chosen(_ names: [String], _ listing: FolderListing) -> Set<Int> {
    var chosen: Set<Int> = []
    let root = PathText.folder(of: file)
    for written in pictures where PathText.ending(of: written) != "txt" {
      // Roboflow's paths begin with "../", although the folders lie beside the description.
      var bare = written[...]
      while bare.hasPrefix("../") || bare.hasPrefix("./") {
        bare = bare.drop { $0 == "." }.dropFirst()
      }
      var folders = [PathText.joined(root, written), PathText.joined(root, String(bare)), written]
      if let path {
        folders += [
          PathText.joined(PathText.joined(root, path), written), PathText.joined(path, written),
        ]
      }
      for folder in folders.map(PathText.normalized) {
        let found = names.indices.filter { place in
          PathText.below(folder, PathText.normalized(listing.path(names[place]))) != nil
        }
        chosen.formUnion(found)
        if !found.isEmpty { break }
      }
    }
    return chosen.isEmpty ? Set(names.indices) : chosen
  }
}
