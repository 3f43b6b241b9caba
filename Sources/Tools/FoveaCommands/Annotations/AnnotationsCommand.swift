// Fovea - fovea annotations: boxes on pictures, checked, converted, shown, split and proposed.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaAnnotationCommands
internal import FoveaAnnotations
internal import FoveaCommandLine
internal import FoveaModelCommands

/// Checks, converts, shows, splits and proposes annotations.
enum AnnotationsCommand: Subcommand {
  /// What is to be done.
  enum Action: String, CaseIterable {
    case check
    case convert
    case draw
    case split
    case propose
    case follow
  }

  static let description = CommandDescription(
    name: "annotations",
    synopsis: "check PICTURES | convert PICTURES -o OUT --to FORM | draw PICTURES -o SHEET.png | "
      + "split PICTURES -o FOLDER | propose PICTURES --model FILE -o OUT | "
      + "follow CLIP --box X,Y,W,H --label TEXT -o FOLDER",
    summary: "Checks, converts, shows, splits, proposes and follows boxes on pictures.",
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
    ] + ProposeAction.options + FollowAction.options + [
      .init(name: "--json", help: "print a JSON document")
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
      propose writes what a model finds, for a person to correct: pictures come first where a score is
      nearest to --confidence. follow turns boxes of the first picture of a clip into those of all: it
      writes pictures and boxes to a new folder, and leaves pictures out in which an object is hidden.
      """,
    leading: .modelBeforeImages)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let word = arguments.operands[0]
    guard let action = Action(rawValue: word) else {
      throw UsageError(
        "'\(word)' is none of \(Action.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    switch action {
    case .check: try CheckAction.run(AnnotationInput(arguments), arguments)
    case .convert: try ConvertAction.run(AnnotationInput(arguments), arguments)
    case .draw: try DrawAction.run(AnnotationInput(arguments), arguments)
    case .split: try SplitAction.run(AnnotationInput(arguments), arguments)
    case .propose: try ProposeAction.run(arguments)
    case .follow: return try FollowAction.run(arguments)
    }
    return 0
  }
}
