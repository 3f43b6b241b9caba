// Fovea - fovea annotations check: what a person should look at before training.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
package import FoveaCommandLine

/// Says what a person should look at before training.
package enum CheckAction {
  /// Findings of a kind that are printed.
  private static let firstOnes = 3

  package static func run(_ input: AnnotationInput, _ arguments: ArgumentList) throws {
    var options = AnnotationCheck.Options()
    options.networkSide = try arguments.integer("--side", in: 8...8192) ?? options.networkSide
    options.validationShare = try arguments.fraction("--validation") ?? options.validationShare
    options.seed = UInt64(try arguments.integer("--seed", in: 0...Int.max) ?? 0)
    let count = input.set.pictures.count
    let check = AnnotationCheck(input.set, options: options) { done in
      SystemInterface.writeProgress("looking at picture \(done)/\(count)")
    }
    SystemInterface.writeProgress("")
    if arguments.has("--json") {
      try JSONOutput.write(CheckDocument(input.set, check, firstOnes: firstOnes))
    } else {
      SystemInterface.writeOutput(text(input, check))
    }
  }

  private static func text(_ input: AnnotationInput, _ check: AnnotationCheck) -> String {
    var text = input.name + ": " + SetSummary(input.set).line + "\n"
    text += SetSummary(input.set).table.text(indentation: 2)
    var last: AnnotationFinding.Severity?
    for group in check.groups {
      if group.kind.severity != last {
        last = group.kind.severity
        text += "\n\(group.kind.severity.rawValue)s\n"
      }
      text += "  \(group.findings.count) \(group.kind.title)\n"
      for finding in group.findings.prefix(firstOnes) { text += "    \(finding)\n" }
      let others = group.findings.count - firstOnes
      if others > 0 { text += "    and \(others) more\n" }
    }
    return check.groups.isEmpty ? text + "nothing to correct\n" : text
  }
}

/// How many boxes and pictures a set has.
struct SetSummary {
  private let set: AnnotatedSet
  private(set) var classes: [ClassCount]

  /// The boxes of a class, and the pictures that have any.
  struct ClassCount: Encodable {
    var label: String
    var boxes = 0
    var pictures = 0
  }

  init(_ set: AnnotatedSet) {
    self.set = set
    classes = set.classes.map { ClassCount(label: $0) }
    for picture in set.pictures {
      for box in picture.boxes { classes[box.classIndex].boxes += 1 }
      for index in Set(picture.boxes.lazy.map(\.classIndex)) { classes[index].pictures += 1 }
    }
  }

  /// Pictures without boxes.
  var emptyCount: Int { self.set.pictures.count { $0.boxes.isEmpty } }

  /// The set in a line.
  var line: String {
    let form = set.form.map { $0.title + ", " } ?? ""
    return "\(form)\(Self.count(set.pictures.count, "picture")), \(emptyCount) without boxes, "
      + "\(Self.count(set.boxCount, "box", "boxes")), \(Self.count(set.classes.count, "class", "classes"))"
  }

  /// A row for each class.
  var table: TextTable {
    var table = TextTable([.left("class"), .right("boxes"), .right("pictures")])
    table.rows = classes.map { [$0.label, "\($0.boxes)", "\($0.pictures)"] }
    return table
  }

  static func count(_ number: Int, _ one: String, _ several: String? = nil) -> String {
    "\(number) \(number == 1 ? one : several ?? one + "s")"
  }
}

/// The answer as JSON.
private struct CheckDocument: Encodable {
  struct Finding: Encodable {
    var kind: String
    var severity: String
    var title: String
    var count: Int
    /// The first of them, in words.
    var first: [String]
  }

  var form: String?
  var pictures: Int
  var picturesWithoutBoxes: Int
  var boxes: Int
  var classes: [SetSummary.ClassCount]
  var findings: [Finding]

  init(_ set: AnnotatedSet, _ check: AnnotationCheck, firstOnes: Int) {
    let summary = SetSummary(set)
    form = set.form?.rawValue
    (pictures, boxes) = (set.pictures.count, set.boxCount)
    picturesWithoutBoxes = summary.emptyCount
    classes = summary.classes
    findings = check.groups.map { group in
      Finding(
        kind: group.kind.rawValue, severity: group.kind.severity.rawValue,
        title: group.kind.title, count: group.findings.count,
        first: group.findings.prefix(firstOnes).map(\.description))
    }
  }
}
