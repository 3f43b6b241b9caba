// Fovea - fovea train: a detector from labeled pictures.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaQuantization
internal import FoveaRuntime
internal import FoveaTraining

/// Trains a detector on labeled pictures.
enum TrainCommand: Subcommand {
  static let description = CommandDescription(
    name: "train",
    synopsis: "PICTURES [--annotations FILE] [--start-from MODEL] -o OUT.mlmodel [OPTIONS] | "
      + "--starters FOLDER [--backgrounds FOLDER] -o OUT.mlmodel [OPTIONS] | "
      + "--resume RUN [OPTIONS]",
    summary: "Trains a detector on your own labeled pictures, or on one picture of each thing.",
    options: StarterPlan.optionList + [
      .init(
        name: "--annotations", value: "FILE",
        help:
          "what is in the pictures, in any form that fovea annotations reads (default: what lies"
          + " beside them)"),
      .init(
        name: "--start-from", value: "MODEL",
        help: "the detector to go on from: a file of any format, or a name of fovea get --list"
          + " (default: yolo-fastest, if it was fetched)"),
      .init(
        name: "-o", value: "FILE", help: "the model to write: NAME.mlmodel or NAME.mlpackage"),
      .init(name: "--minutes", value: "N", help: "how long to train (default 20)"),
      .init(
        name: "--steps", value: "N",
        help: "train so many steps instead, which gives the same file again"),
      .init(name: "--seed", value: "N", help: "what random numbers follow from (default 0)"),
      .init(
        name: "--size", value: "PIXELS",
        help: "the side of the network's input (default: by the objects, 224 to 512)"),
      .init(
        name: "--batch", value: "N",
        help: "pictures of a step (default 16; 8 for sides above 416)"),
      .init(
        name: "--threads", value: "N",
        help: "threads to use (default: all that the process may use)"),
      .init(
        name: "--rate", value: "0...1", help: "the greatest learning rate (default 0.0015)"),
      .init(
        name: "--validation", value: "FOLDER",
        help: "pictures to measure on (default: a fifth of PICTURES; composed ones for starters)"),
      .init(
        name: "--validation-annotations", value: "FILE",
        help: "what is in them (default: what lies beside them)"),
      .init(name: "--no-mirror", help: "left and right are not alike, as in letters"),
      .init(name: "--from-above", help: "up and down are alike, as in pictures from the air"),
      .init(
        name: "--metadata", value: "KEY=TEXT",
        help: "what is said about the model: description, author, license, version, or a key of"
          + " your own", isRepeatable: true),
      .init(name: "--half", help: "write NAME-half beside it, with weights as halves"),
      .init(name: "--int8", help: "write NAME-int8 beside it, with weights of 8 bits"),
      .init(
        name: "--resume", value: "RUN",
        help: "go on with a run that was stopped, from its folder; --minutes and --steps may be new"
      ),
      .init(name: "--json", help: "print one JSON document"),
    ],
    operandCount: 0...1,
    notes: """
      Starts from any detector that Fovea opens, if it has a head of YOLO's kinds. Classes that it
      knows keep what it has learned of them. The file that is written opens in Fovea, in Xcode and
      on an iPhone: a detector with suppression of boxes, whose threshold is that of the best F1.

      A fifth of the pictures, chosen by their names, is not learned from: results are measured on
      it twenty times in a run, and the best weights are kept. A run without gain ends early.

      With --starters, each step pastes them onto backgrounds as a camera would see them: from the
      side, near and far, in other light, blurred, partly covered. Cut them to the edge of the thing;
      transparent pixels are not pasted. They are never mirrored. Results are measured on composed
      pictures with backgrounds that were not learned from, if there are five or more. Photographs
      are harder: label some, and name them with --validation.

      NAME-report.html is a page about the run: how good each file is, as fovea evaluate measures it,
      the worst mistakes, labels to look at, and what to do next.

      NAME-run is the folder of the run: results.csv, annotations of what was measured on, labels to
      look at (suspects.json), and the state, which is written every minute and when you stop with
      Ctrl-C. --resume goes on from there as if nothing had happened.

      --steps gives the same bytes for the same seed and number of threads on processors of one
      kind. --minutes follows the clock.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    try run(try TrainingPlan(arguments), arguments)
  }

  /// Trains as planned; returns the exit code.
  static func run(_ plan: TrainingPlan, _ arguments: ArgumentList) throws -> Int32 {
    do throws(TrainingError) {
      return try TrainingSessionRun(plan, asJSON: arguments.has("--json")).run()
    } catch {
      SystemInterface.writeProgress("")
      if error.code == .interrupted, let code = Interruption.exitCode {
        SystemInterface.writeError("\(error.message); go on with: \(plan.resumption)\n")
        return code
      }
      guard error.code == .file, FilePath.exists(plan.checkpoint) else {
        throw CommandFailure(error.message)
      }
      throw CommandFailure("\(error.message); once that is mended, go on with: \(plan.resumption)")
    }
  }
}
