// Fovea - fovea annotations: boxes that people drew, checked, converted, shown and split.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotations
package import FoveaCommandLine

/// The commands about annotations.
package enum AnnotationCommands {
  /// All of them.
  package static var all: [any Subcommand.Type] { [AnnotationsCommand.self] }
}

/// Checks, converts, shows and splits annotations.
enum AnnotationsCommand: Subcommand {
  /// What is to be done.
  enum Action: String, CaseIterable {
    case check
    case convert
    case draw
    case split
  }

  static let description = CommandDescription(
    name: "annotations",
    synopsis: "check PICTURES | convert PICTURES -o OUT --to FORM | draw PICTURES -o SHEET.png | "
      + "split PICTURES -o FOLDER",
    summary: "Checks, converts, shows and splits boxes that people drew on pictures.",
    options: [
      .init(
        name: "--annotations", value: "FILE",
        help: "the file or folder of annotations (default: those among the pictures)"),
      .init(
        name: "--units", value: "NAME", help: "what the numbers of Create ML count (default pixel)",
        choices: AnnotationOptions.Units.allCases.map(\.rawValue)),
      .init(
        name: "--origin", value: "NAME",
        help: "where boxes of Create ML count from (default topLeft)",
        choices: AnnotationOptions.Origin.allCases.map(\.rawValue)),
      .init(
        name: "--anchor", value: "NAME",
        help: "the point of a box that Create ML's x and y give (default center)",
        choices: AnnotationOptions.Anchor.allCases.map(\.rawValue)),
      .init(name: "-o", value: "FILE", help: "the file or folder to write"),
      .init(
        name: "--to", value: "NAME", help: "the form to write",
        choices: WrittenAnnotations.forms.map(\.rawValue)),
      .init(
        name: "--side", value: "N",
        help: "with check: columns of the network's input (default 320)"),
      .init(
        name: "--validation", value: "0...1",
        help: "the share of pictures to measure on (default 0.2)"),
      .init(name: "--seed", value: "N", help: "another number splits otherwise (default 0)"),
      .init(name: "--max", value: "N", help: "with draw: pictures on the sheet (default 24)"),
      .init(name: "--json", help: "print a JSON document"),
    ],
    operandCount: 2...2,
    notes: """
      PICTURES is a folder, with the annotations in it or named by --annotations; or a file of
      annotations that lies beside the pictures. Its form is recognized by content: Create ML, COCO,
      Pascal VOC, YOLO, LabelMe, CVAT, Label Studio, VIA and tables (CSV). Boxes belong to the upright
      picture.

      check says by severity what a person should look at before training. convert writes createml,
      coco, cvat or csv to a file, voc, yolo or labelme to a folder; pictures stay where they are.
      split writes training and validation annotations; a hash of its name puts a picture on a side.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let word = arguments.operands[0]
    guard let action = Action(rawValue: word) else {
      throw UsageError(
        "'\(word)' is none of \(Action.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let input = try AnnotationInput(arguments)
    switch action {
    case .check: try CheckAction.run(input, arguments)
    case .convert: try ConvertAction.run(input, arguments)
    case .draw: try DrawAction.run(input, arguments)
    case .split: try SplitAction.run(input, arguments)
    }
    return 0
  }
}

/// The set that the arguments name.
struct AnnotationInput {
  /// What the user named.
  let name: String
  let set: AnnotatedSet

  /// Reads the set.
  ///
  /// - Throws: `UsageError`, `CommandFailure`.
  init(_ arguments: ArgumentList) throws {
    let name = arguments.operands[1]
    self.name = name
    var options = AnnotationOptions()
    options.units = try arguments.choice("--units", AnnotationOptions.Units.self) ?? .pixel
    options.origin = try arguments.choice("--origin", AnnotationOptions.Origin.self) ?? .topLeft
    options.anchor = try arguments.choice("--anchor", AnnotationOptions.Anchor.self) ?? .center
    var folder = name
    var annotations = arguments.value("--annotations")
    if annotations == nil, SystemInterface.fileNames(in: name) == nil,
      !SystemInterface.isMissing(name)
    {
      // A file of annotations beside its pictures.
      annotations = name
      folder = name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "."
    }
    do throws(AnnotationError) {
      set = try AnnotatedSet(
        pictures: folder, annotations: annotations, options: options)
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// What was noticed while the set was read, on standard error.
  func reportFindings() {
    for group in AnnotationCheck.groups(of: set.findings) {
      let first = group.findings[0].description
      SystemInterface.writeError("\(group.findings.count) \(group.kind.title): \(first)\n")
    }
  }
}

extension ArgumentList {
  /// The path to write to.
  ///
  /// - Throws: `UsageError` where none is given.
  func output() throws(UsageError) -> String {
    try required("-o", "name the file or folder to write")
  }
}
