// Fovea - single pictures of flat things, and pictures to paste them onto.
// SPDX-License-Identifier: Apache-2.0
public import FoveaAnnotations
internal import FoveaFiles

/// Single pictures of flat things, such as cards, logos and signs, to learn from without labels.
///
/// Each step of training pastes them onto backgrounds as a camera would see them.
public struct StarterSet: Sendable, Hashable {
  /// A picture of one thing, from edge to edge. Transparent pixels do not belong to it.
  public struct Starter: Sendable, Hashable {
    /// The file.
    public var path: String
    /// The class, by its place among the labels.
    public var label: Int

    /// Creates a starter.
    public init(path: String, label: Int) { (self.path, self.label) = (path, label) }
  }

  /// The names of the classes.
  public var labels: [String]
  /// The starters, at least one of each class.
  public var starters: [Starter]
  /// The files that starters are pasted onto; backgrounds are drawn where there are none.
  public var backgrounds: [String]
  /// What was noticed while folders were read, such as backgrounds that were left out.
  public var findings: [AnnotationFinding] = []

  /// Creates a set.
  public init(labels: [String], starters: [Starter], backgrounds: [String]) {
    (self.labels, self.starters, self.backgrounds) = (labels, starters, backgrounds)
  }

  /// Reads starters and backgrounds from folders.
  ///
  /// The class of a starter is the name of its file without the ending. Where a class has several
  /// starters, they lie in a folder of its name.
  ///
  /// - Parameters:
  ///   - path: The folder of the starters, or a single one.
  ///   - backgrounds: A folder of any pictures in which no starter is seen; `nil` to draw some.
  /// - Throws: `.unsuitablePictures`.
  public init(starters path: String, backgrounds: String?) throws(TrainingError) {
    self.init(labels: [], starters: [], backgrounds: [])
    var names = StarterNames()
    if FilePath.isFolder(path) {
      let set = try Self.pictures(in: path)
      // Each one is a class, or a part of one: none is left out.
      if let finding = set.findings.first(where: { $0.kind == .unreadablePicture }) {
        throw TrainingError(
          .unsuitablePictures,
          "\(path)/\(finding.file ?? ""): cannot be read; replace or remove the file")
      }
      for picture in set.pictures {
        let label = try names.label(of: picture.name, path: picture.path)
        add(picture.path, label)
      }
    } else {
      add(path, try names.label(of: FilePath.name(of: path), path: path))
    }
    guard let backgrounds else { return }
    let set = try Self.pictures(in: backgrounds)
    findings = set.findings
    self.backgrounds = set.pictures.map(\.path)
    try checkBackgrounds(backgrounds)
  }

  private static func pictures(in folder: String) throws(TrainingError) -> AnnotatedSet {
    do throws(AnnotationError) { return try AnnotatedSet(picturesAlone: folder) } catch {
      throw TrainingError(.unsuitablePictures, "\(error)")
    }
  }

  private mutating func add(_ path: String, _ label: String) {
    let place = labels.firstIndex(of: label) ?? labels.count
    if place == labels.count { labels.append(label) }
    starters.append(Starter(path: path, label: place))
  }

  /// Refuses backgrounds that cannot be read, and those that are starters.
  private func checkBackgrounds(_ folder: String) throws(TrainingError) {
    guard !backgrounds.isEmpty else {
      throw TrainingError(
        .unsuitablePictures, "\(folder): holds no pictures that can be read; name others")
    }
    let own = Set(starters.compactMap { FilePath.resolved($0.path) })
    guard let both = backgrounds.first(where: { FilePath.resolved($0).map(own.contains) == true })
    else { return }
    throw TrainingError(
      .unsuitablePictures,
      "\(both): is a starter, and lies among the backgrounds; keep them in folders of their own")
  }

  /// Refuses sets that programs made without a starter for each class.
  func check() throws(TrainingError) {
    let used = Set(starters.map(\.label))
    guard !labels.isEmpty, used == Set(labels.indices) else {
      throw TrainingError(
        .unsuitablePictures,
        "\(starters.count) starters of \(labels.count) classes; expected at least one of each class,"
          + " and no others")
    }
  }

  /// The backgrounds to learn from and those to measure on: a fifth, where there are at least five.
  func dividedBackgrounds(seed: UInt64) -> (training: [String], validation: [String]) {
    guard backgrounds.count >= 5 else { return (backgrounds, backgrounds) }
    let split = SetSplit(
      names: backgrounds, labels: backgrounds.map { _ in [0] }, seed: seed)
    func part(_ side: Bool) -> [String] {
      zip(backgrounds, split.isMeasured).filter { $0.1 == side }.map(\.0)
    }
    return (part(false), part(true))
  }
}

/// The classes of starters, by the names of files and folders.
private struct StarterNames {
  private struct Seen {
    var label: String
    var path: String
    var isFolder: Bool
  }
  /// By names in small letters.
  private var seen: [String: Seen] = [:]

  /// The class of a starter: the first folder below that of all starters, or the name of its file.
  ///
  /// - Throws: `.unsuitablePictures` for files of one name beside each other, and for names that
  ///   differ in case only.
  mutating func label(of name: String, path: String) throws(TrainingError) -> String {
    let parts = name.split(separator: "/")
    let own = Seen(
      label: parts.count > 1 ? String(parts[0]) : Self.stem(of: name), path: path,
      isFolder: parts.count > 1)
    guard let other = seen.updateValue(own, forKey: own.label.lowercased()),
      !other.isFolder || !own.isFolder || other.label != own.label
    else { return own.label }
    throw TrainingError(
      .unsuitablePictures,
      "\(other.path) and \(path): are starters of one name; several of a class belong into a"
        + " folder of its name")
  }

  private static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}
