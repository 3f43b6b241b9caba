// Fovea - pictures for training and pictures to measure on.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

extension AnnotatedSet {
  /// The set in two: pictures to train with, and pictures to measure on.
  ///
  /// A hash of the file's name and the seed decides (FNV-1a), so a picture stays on its side whatever
  /// else is added to the set. Then each class with two pictures or more gets at least one on each side,
  /// as far as that goes.
  ///
  /// - Parameters:
  ///   - share: The share of pictures to measure on, 0...1.
  ///   - seed: Another number gives another split.
  public func split(
    validationShare share: Double = 0.2, seed: UInt64 = 0
  ) -> (training: AnnotatedSet, validation: AnnotatedSet) {
    let isMeasured = SetSplit(self, share: share, seed: seed).isMeasured
    func part(_ side: Bool) -> AnnotatedSet {
      var part = self
      part.pictures = pictures.indices.filter { isMeasured[$0] == side }.map { pictures[$0] }
      return part
    }
    return (part(false), part(true))
  }
}

/// Which pictures of a set are measured on.
package struct SetSplit {
  /// Whether each picture is.
  package private(set) var isMeasured: [Bool]
  private let hashes: [UInt64]

  init(_ set: AnnotatedSet, share: Double, seed: UInt64) {
    self.init(
      names: set.pictures.map(\.name),
      labels: set.pictures.map { picture in
        Set(picture.boxes.lazy.filter { !$0.isIgnored }.map(\.classIndex))
      }, share: share, seed: seed)
  }

  /// The split of pictures with these names, in which these classes have boxes.
  package init(names: [String], labels: [Set<Int>], share: Double = 0.2, seed: UInt64) {
    hashes = names.map { Self.hash($0, seed: seed) }
    let share = share >= 0 ? min(share, 1) : 0
    isMeasured = hashes.map { Double($0 >> 11) * 0x1p-53 < share }
    guard share > 0, share < 1 else { return }
    var picturesOfClass: [Int: [Int]] = [:]
    for (place, labels) in labels.enumerated() {
      for label in labels { picturesOfClass[label, default: []].append(place) }
    }
    let classesOfPicture = Dictionary(
      grouping: picturesOfClass.flatMap { label, places in places.map { (label, $0) } },
      by: \.1
    ).mapValues { $0.map(\.0) }
    for label in picturesOfClass.keys.sorted() {
      for side in [true, false] {
        fill(side, label, picturesOfClass, classesOfPicture)
      }
    }
  }

  /// Moves a picture of a class to a side that has none, and leaves the other side one of each class
  /// where it can.
  private mutating func fill(
    _ side: Bool, _ label: Int, _ picturesOfClass: [Int: [Int]], _ classesOfPicture: [Int: [Int]]
  ) {
    let places = picturesOfClass[label] ?? []
    guard places.count > 1, !places.contains(where: { self.isMeasured[$0] == side }) else { return }
    let sorted = places.sorted { hashes[$0] < hashes[$1] }
    let sides = isMeasured
    let harmless = sorted.first { place in
      (classesOfPicture[place] ?? []).allSatisfy { other in
        (picturesOfClass[other] ?? []).contains { $0 != place && sides[$0] != side }
      }
    }
    if let chosen = harmless ?? sorted.first { self.isMeasured[chosen] = side }
  }

  /// FNV-1a of the name without its folders, then of the seed, whose bytes spread the last letters over
  /// all bits.
  static func hash(_ name: String, seed: UInt64) -> UInt64 {
    let fileName = name.split(separator: "/").last ?? ""
    let seed = (0..<8).map { UInt8(truncatingIfNeeded: seed >> (8 * UInt64($0))) }
    return StableHash.of(Array(fileName.utf8) + seed)
  }
}
