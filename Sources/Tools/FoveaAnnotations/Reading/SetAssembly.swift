// Fovea - a set is put together: pictures found, boxes placed in them.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaImaging

/// Puts a set together: finds the pictures that annotations name, and places boxes in them.
struct SetAssembly {
  /// What one file says about one picture.
  private struct Entry {
    var picture: Int
    var raw: RawAnnotations.Picture
    /// The labels of the set for those of the file.
    var labels: [Int]
  }

  private let index: PictureIndex
  private let listing: FolderListing
  private let form: AnnotationForm
  private let options: AnnotationOptions
  private var entries: [Entry] = []
  private var findings: [AnnotationFinding] = []
  /// The labels of all files, each once.
  private var labels = RawAnnotations()
  private var hasListedLabels = false
  private var hasNumbersForLabels = false
  private var isNamed: [Bool]

  init(
    _ index: PictureIndex, _ listing: FolderListing, _ form: AnnotationForm,
    _ options: AnnotationOptions
  ) {
    (self.index, self.listing, self.form, self.options) = (index, listing, form, options)
    isNamed = Array(repeating: false, count: index.names.count)
  }

  /// Adds what a file says.
  mutating func add(_ raw: RawAnnotations, of file: String) {
    findings += raw.findings
    let places = places(of: raw)
    let folder = PathText.folder(of: file)
    let stem = PathText.stem(of: String(file.split(separator: "/").last ?? ""))
    for picture in raw.pictures {
      var match = index.match(picture.name, beside: folder, isUpload: form == .labelStudio)
      if match == .none, form.hasFileForPicture { match = index.match(stem: stem, beside: folder) }
      let name = picture.name.isEmpty ? file : picture.name
      switch match {
      case .picture(let place): add(picture, at: place, places)
      case .byNameAlone(let place):
        findings.append(
          AnnotationFinding(
            .foreignPath, index.names[place],
            "the annotations name it by a path out of the folder; taken by its name: \(name)"))
        add(picture, at: place, places)
      case .none: findings.append(AnnotationFinding(.missingPicture, name, "no such picture"))
      case .several:
        findings.append(
          AnnotationFinding(
            .ambiguousPicture, name, "several pictures are called so; write their folders too"))
      }
    }
  }

  /// Adds pictures that have been found.
  ///
  /// - Parameter found: The place of each of the pictures in `raw`.
  mutating func add(_ raw: RawAnnotations, at found: [Int]) {
    let places = places(of: raw)
    for (picture, place) in zip(raw.pictures, found) { add(picture, at: place, places) }
  }

  /// The labels of the set for those of a file.
  private mutating func places(of raw: RawAnnotations) -> [Int] {
    hasListedLabels = hasListedLabels || raw.hasListedLabels
    hasNumbersForLabels = hasNumbersForLabels || raw.hasNumbersForLabels
    return raw.labels.map { labels.label($0) }
  }

  private mutating func add(_ raw: RawAnnotations.Picture, at place: Int, _ labels: [Int]) {
    isNamed[place] = true
    entries.append(Entry(picture: place, raw: raw, labels: labels))
  }

  /// Adds something that was noticed.
  mutating func add(_ finding: AnnotationFinding) { findings.append(finding) }

  // MARK: The set

  /// The set of all that was added.
  mutating func finished() -> AnnotatedSet {
    entries.sort { $0.picture < $1.picture }
    var placer = BoxPlacer(options)
    var sizes: [Int: PictureSize] = [:]
    for place in index.names.indices {
      guard isNamed[place] || form.leavesOutBackground else {
        findings.append(
          AnnotationFinding(
            .missingEntry, index.names[place], "the annotations do not name it; left out"))
        continue
      }
      sizes[place] = size(of: place)
    }
    placer.areStoredRows = areStoredRows(sizes)
    var pictures: [AnnotatedSet.Picture] = []
    var next = entries.startIndex
    for place in index.names.indices {
      let start = next
      while next < entries.endIndex, entries[next].picture == place { next += 1 }
      guard let size = sizes[place] else { continue }
      let name = index.names[place]
      placer.begin(name, size)
      for entry in entries[start..<next] { placer.add(entry.raw, entry.labels) }
      pictures.append(
        AnnotatedSet.Picture(
          name: name, path: listing.path(name), width: size.upright.width,
          height: size.upright.height, boxes: placer.boxes))
    }
    findings += placer.findings
    if let finding = unitsFinding() { findings.append(finding) }
    return set(pictures)
  }

  /// The size of a picture; `nil`, with a finding, where it cannot be read.
  private mutating func size(of place: Int) -> PictureSize? {
    let path = listing.path(index.names[place])
    do throws(ImageError) {
      return try PictureSize(contentsOf: path, orientation: options.orientation)
    } catch {
      findings.append(
        AnnotationFinding(
          .unreadablePicture, index.names[place], "\(error.explanation); left out"))
      return nil
    }
  }

  /// Whether boxes belong to pictures as they are stored: those of some pictures that must be turned by a
  /// quarter fit only so, and none fits only the upright one.
  private func areStoredRows(_ sizes: [Int: PictureSize]) -> Bool {
    var onlyStored = 0
    for entry in entries {
      guard let size = sizes[entry.picture], size.orientation.swapsSides,
        BoxPlacer.statedSize(of: entry.raw) == nil
      else { continue }
      let fitsUpright = BoxPlacer.fits(entry.raw, size.upright)
      let fitsStored = BoxPlacer.fits(entry.raw, size.stored)
      if fitsUpright && !fitsStored { return false }
      if fitsStored && !fitsUpright { onlyStored += 1 }
    }
    return onlyStored > 0
  }

  /// What to say where all numbers are too small for pixels, or too large for shares.
  private func unitsFinding() -> AnnotationFinding? {
    let rectangles = entries.lazy.flatMap(\.raw.boxes).map(\.rectangle)
    guard rectangles.contains(where: { _ in true }) else { return nil }
    if rectangles.allSatisfy({ !$0.isShare && $0.width.magnitude < 2 && $0.height.magnitude < 2 }) {
      let remedy =
        form == .createML ? "say --units normalized" : "are the numbers shares of the picture?"
      return AnnotationFinding(
        .unitsAreNotPixels, nil, "every box is smaller than two pixels; \(remedy)")
    }
    if form == .createML,
      rectangles.allSatisfy({
        $0.isShare && ($0.width.magnitude > 1.5 || $0.height.magnitude > 1.5)
      })
    {
      return AnnotationFinding(
        .unitsAreNotPixels, nil, "every box is larger than its picture; say --units pixel")
    }
    return nil
  }

  /// The set with its classes in order.
  private func set(_ pictures: [AnnotatedSet.Picture]) -> AnnotatedSet {
    var classes = labels.labels
    var pictures = pictures
    if !hasListedLabels {
      let used = Set(pictures.lazy.flatMap(\.boxes).map(\.classIndex))
      let order = used.sorted { classes[$0].utf8.lexicographicallyPrecedes(classes[$1].utf8) }
      var placeOf = Array(repeating: 0, count: classes.count)
      for (place, old) in order.enumerated() { placeOf[old] = place }
      for picture in pictures.indices {
        for box in pictures[picture].boxes.indices {
          let old = pictures[picture].boxes[box].classIndex
          pictures[picture].boxes[box].classIndex = placeOf[old]
        }
      }
      classes = order.map { classes[$0] }
    }
    var set = AnnotatedSet(classes: classes, pictures: pictures, findings: findings)
    set.form = form
    set.hasNumbersForClasses = hasNumbersForLabels
    return set
  }
}
