// Fovea - fovea annotations convert and split: annotations written in a form.
// SPDX-License-Identifier: Apache-2.0
package import FoveaAnnotations
package import FoveaCommandLine

/// Writes annotations in another form.
package enum ConvertAction {
  package static func run(_ input: AnnotationInput, _ arguments: ArgumentList) throws {
    let output = try arguments.output()
    guard let form = try arguments.choice("--to", AnnotationForm.self) else {
      throw UsageError(
        "--to is missing: name one of "
          + WrittenAnnotations.forms.map(\.rawValue).joined(separator: ", "))
    }
    input.reportFindings()
    try AnnotationOutput.write(input.set, as: form, to: output)
    let document = WrittenDocument(input.set, form, output)
    if arguments.has("--json") {
      try JSONOutput.write(document)
    } else {
      SystemInterface.writeOutput("\(output): \(document.line)\n")
    }
  }
}

/// Writes annotations of pictures to train with, and of pictures to measure on.
package enum SplitAction {
  package static func run(_ input: AnnotationInput, _ arguments: ArgumentList) throws {
    let output = try arguments.output()
    let form = try form(input.set, arguments)
    let share = try arguments.fraction("--validation") ?? 0.2
    let seed = UInt64(try arguments.integer("--seed", in: 0...Int.max) ?? 0)
    input.reportFindings()
    try SystemInterface.makeFolder(output)
    let (training, validation) = input.set.split(validationShare: share, seed: seed)
    let parts = try [("training", training), ("validation", validation)].map { name, set in
      let path = "\(output)/\(name)\(ending(of: form))"
      try AnnotationOutput.write(set, as: form, to: path)
      return WrittenDocument(set, form, path)
    }
    if arguments.has("--json") {
      try JSONOutput.write(SplitDocument(training: parts[0], validation: parts[1]))
    } else {
      SystemInterface.writeOutput(parts.map { "\($0.path): \($0.line)\n" }.joined())
    }
  }

  /// A form that can leave pictures out: in YOLO's and in tables these would be background.
  private static func form(
    _ set: AnnotatedSet, _ arguments: ArgumentList
  ) throws(UsageError) -> AnnotationForm {
    let fitting = WrittenAnnotations.forms.filter { $0 != .yolo && $0 != .csv }
    guard let form = try arguments.choice("--to", AnnotationForm.self) else {
      return set.form.flatMap { fitting.contains($0) ? $0 : nil } ?? .createML
    }
    guard fitting.contains(form) else {
      throw UsageError(
        "--to is '\(form.rawValue)', where pictures that are left out would be background; "
          + "expected one of \(fitting.map(\.rawValue).joined(separator: ", "))")
    }
    return form
  }

  private static func ending(of form: AnnotationForm) -> String {
    switch form {
    case .createML, .coco: ".json"
    case .cvat: ".xml"
    default: ""
    }
  }
}

/// Writes a set, and says what its form cannot hold.
package enum AnnotationOutput {
  package static func write(
    _ set: AnnotatedSet, as form: AnnotationForm, to path: String
  ) throws(CommandFailure) {
    do throws(AnnotationError) {
      for finding in try set.write(as: form, to: path) {
        SystemInterface.writeError("\(finding)\n")
      }
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}

/// What was written.
private struct WrittenDocument: Encodable {
  var path: String
  var form: String
  var pictures: Int
  var boxes: Int
  var classes: [SetSummary.ClassCount]

  init(_ set: AnnotatedSet, _ form: AnnotationForm, _ path: String) {
    (self.path, self.form) = (path, form.rawValue)
    (pictures, boxes) = (set.pictures.count, set.boxCount)
    classes = SetSummary(set).classes
  }

  var line: String {
    "\(form), \(SetSummary.count(pictures, "picture")), \(SetSummary.count(boxes, "box", "boxes"))"
  }
}

private struct SplitDocument: Encodable {
  var training: WrittenDocument
  var validation: WrittenDocument
}
