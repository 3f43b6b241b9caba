// Fovea - everything about a set that a person should look at before training.
// SPDX-License-Identifier: Apache-2.0

/// Everything about a set that a person should look at before training.
public struct AnnotationCheck: Sendable {
  /// What is found by looking at the set as a whole.
  public struct Options: Hashable, Sendable {
    /// Columns and rows of the network's input.
    public var networkSide = 320
    /// The share of pictures to measure on; see `AnnotatedSet.split(validationShare:seed:)`.
    public var validationShare = 0.2
    /// The seed of the split.
    public var seed: UInt64 = 0
    /// Whether pictures are decoded, to find those that are damaged or equal.
    public var decodesPictures = true

    /// Creates options: an input of 320 x 320, a fifth of the pictures to measure on.
    public init() {}
  }

  /// The findings of one kind.
  public struct Group: Hashable, Sendable {
    /// What was found.
    public var kind: AnnotationFinding.Kind
    /// The findings, in the order of the set.
    public var findings: [AnnotationFinding]
  }

  /// The findings by kind, the gravest first.
  public let groups: [Group]

  /// Checks a set.
  ///
  /// - Parameters:
  ///   - set: The set, with what was noticed while it was read.
  ///   - options: What to hold it against.
  ///   - progress: Is told how many pictures have been decoded.
  public init(
    _ set: AnnotatedSet, options: Options = Options(), progress: (Int) -> Void = { _ in }
  ) {
    var findings = set.findings
    findings += LabelCheck.findings(in: set)
    let hasOddUnits = findings.contains { $0.kind == .unitsAreNotPixels }
    for picture in set.pictures {
      if !hasOddUnits {
        findings += SizeCheck.findings(in: picture, networkSide: options.networkSide)
      }
      findings += OverlapCheck.findings(in: picture)
    }
    if options.decodesPictures {
      findings += PixelCheck.findings(in: set, options, progress: progress)
    }
    groups = Self.groups(of: findings)
  }

  /// Findings by kind, the gravest first.
  package static func groups(of findings: [AnnotationFinding]) -> [Group] {
    let byKind = Dictionary(grouping: findings, by: \.kind)
    return AnnotationFinding.Severity.allCases.sorted(by: >).flatMap { severity in
      AnnotationFinding.Kind.allCases.compactMap { kind in
        guard kind.severity == severity, let findings = byKind[kind] else { return nil }
        return Group(kind: kind, findings: findings)
      }
    }
  }

  /// All findings, the gravest first.
  public var findings: [AnnotationFinding] { groups.flatMap(\.findings) }
}

/// Labels that a person may have mistyped, and classes with too little to learn from.
enum LabelCheck {
  static let fewBoxes = 10
  static let greatestRatio = 20

  static func findings(in set: AnnotatedSet) -> [AnnotationFinding] {
    var counts = Array(repeating: 0, count: set.classes.count)
    for picture in set.pictures {
      for box in picture.boxes where !box.isIgnored { counts[box.classIndex] += 1 }
    }
    var findings = similarLabels(set.classes, counts)
    for (label, count) in zip(set.classes, counts) where count < fewBoxes {
      findings.append(
        AnnotationFinding(.fewBoxes, nil, "'\(label)' has \(count) \(count == 1 ? "box" : "boxes")")
      )
    }
    let present = zip(set.classes, counts).filter { $0.1 > 0 }
    if let most = present.max(by: { $0.1 < $1.1 }), let least = present.min(by: { $0.1 < $1.1 }),
      most.1 / least.1 >= greatestRatio
    {
      findings.append(
        AnnotationFinding(
          .unequalClasses, nil,
          "'\(most.0)' has \(most.1) boxes, '\(least.0)' \(least.1): \(most.1 / least.1) times as many"
        ))
    }
    return findings
  }

  private static func similarLabels(_ classes: [String], _ counts: [Int]) -> [AnnotationFinding] {
    var groups: [String: [Int]] = [:]
    for (place, label) in classes.enumerated() {
      let words = label.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
      groups[words.joined(separator: " "), default: []].append(place)
    }
    let odd = groups.values.filter { places in
      places.count > 1 || places.contains { classes[$0].withoutOuterSpaces != classes[$0] }
    }
    return odd.map { places in
      let words = places.map { "'\(classes[$0])' (\(counts[$0]))" }.joined(separator: ", ")
      return AnnotationFinding(
        .similarLabels, nil, "labels that differ in case or spaces only: \(words)")
    }.sorted { $0.text < $1.text }
  }
}

/// Boxes that are too small to be meant, or to be found.
enum SizeCheck {
  static let leastSide = 2.0
  static let leastNetworkSide = 8.0

  static func findings(
    in picture: AnnotatedSet.Picture, networkSide: Int
  ) -> [AnnotationFinding] {
    // Letterbox: one scale for both sides.
    let scale = Double(networkSide) / Double(max(picture.width, picture.height, 1))
    return picture.boxes.compactMap { box in
      guard !box.isIgnored else { return nil }
      let side = min(box.width, box.height)
      let size = "\(text(box.width)) x \(text(box.height))"
      if side < leastSide {
        return AnnotationFinding(.tinyBox, picture.name, "a box has \(size) pixels")
      }
      guard side * scale < leastNetworkSide else { return nil }
      let seen = "\(text(box.width * scale)) x \(text(box.height * scale))"
      return AnnotationFinding(
        .smallForNetwork, picture.name,
        "a box has \(size) pixels, \(seen) in an input of \(networkSide)")
    }
  }

  private static func text(_ number: Double) -> String { BoxNumber.text(number, digits: 1) }
}

/// Boxes that were drawn twice.
enum OverlapCheck {
  static let leastOverlap = 0.9
  /// Boxes that each box is compared with: more near each other are no set that a person made.
  static let greatestCount = 500

  static func findings(in picture: AnnotatedSet.Picture) -> [AnnotationFinding] {
    let boxes = picture.boxes.sorted { ($0.classIndex, $0.x) < ($1.classIndex, $1.x) }
    var findings: [AnnotationFinding] = []
    for (place, box) in boxes.enumerated() {
      for other in boxes[(place + 1)...].prefix(greatestCount) {
        // Farther to the right, the overlap is smaller.
        guard other.classIndex == box.classIndex,
          other.x - box.x < (1 - leastOverlap) * box.width
        else { break }
        if overlap(box, other) > leastOverlap {
          findings.append(
            AnnotationFinding(
              .boxTwice, picture.name,
              "the same box twice: two boxes of one label overlap by more than 0.9"))
          break
        }
      }
    }
    return findings
  }

  private static func overlap(_ one: AnnotatedSet.Box, _ other: AnnotatedSet.Box) -> Double {
    let width = min(one.maxX, other.maxX) - max(one.x, other.x)
    let height = min(one.maxY, other.maxY) - max(one.y, other.y)
    guard width > 0, height > 0 else { return 0 }
    let shared = width * height
    return shared / (one.width * one.height + other.width * other.height - shared)
  }
}
