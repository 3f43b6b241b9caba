// Fovea - pictures that are learned from, and pictures that results are measured on.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaFiles

/// Divides a set into pictures to learn from and pictures to measure on.
enum ValidationSplit {
  /// One of so many pictures is measured on.
  private static let part: UInt64 = 5

  /// Divides a set by the names of its files: a picture is always on the same side.
  ///
  /// Each class that several pictures show has one on either side.
  static func divide(
    _ set: TrainingSet, seed: UInt64
  ) -> (training: TrainingSet, validation: TrainingSet) {
    let hashes = set.pictures.map {
      NameHash.value(FilePath.name(of: $0.path), seed: seed)
    }
    var isMeasured = hashes.map { $0 % part == 0 }
    for label in set.labels.indices {
      let shown = set.pictures.indices.filter { place in
        set.pictures[place].objects.contains { $0.label == label && $0.weight > 0 }
      }
      guard shown.count >= 2 else { continue }
      let ordered = shown.sorted { (hashes[$0], $0) < (hashes[$1], $1) }
      if !shown.contains(where: { isMeasured[$0] }) { isMeasured[ordered[0]] = true }
      if shown.allSatisfy({ isMeasured[$0] }) { isMeasured[ordered[ordered.count - 1]] = false }
    }
    if set.pictures.count >= 2, !isMeasured.contains(true) { isMeasured[0] = true }
    if !isMeasured.contains(false), let last = isMeasured.indices.last { isMeasured[last] = false }
    func side(_ wanted: Bool) -> TrainingSet {
      TrainingSet(
        labels: set.labels,
        pictures: zip(set.pictures, isMeasured).filter { $1 == wanted }.map(\.0))
    }
    return (side(false), side(true))
  }
}
