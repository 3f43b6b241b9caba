// Fovea - labels that a person may have mistyped, and classes with too little to learn from.
// SPDX-License-Identifier: Apache-2.0

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
