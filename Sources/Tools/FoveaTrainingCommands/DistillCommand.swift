// Fovea - fovea distill: a small detector that learns from a large one.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Trains a small detector on what a large one finds in pictures without labels.
enum DistillCommand: Subcommand {
  /// Those of `fovea train` that are about labels and the start.
  private static let others: Set<String> = [
    "--annotations", "--start-from", "--starters", "--backgrounds",
  ]

  static let description = CommandDescription(
    name: "distill",
    synopsis: "--teacher MODEL --images FOLDER [--only A,B] -o OUT.mlmodel [OPTIONS] | "
      + "--resume RUN [OPTIONS]",
    summary: "Trains a small detector on what a large one finds, without labels.",
    options: TeacherPlan.optionList
      + TrainCommand.description.options.filter { !others.contains($0.name) },
    operandCount: 0...0,
    notes: """
      The teacher labels the pictures, and the student learns from them as fovea train does. A box
      counts as much as its confidence. Boxes between --doubt and --threshold are neither to be
      found nor missed. The student keeps what it knows of the classes.

      Take pictures from where the student is to work, such as frames of its camera. A fifth of
      them is not learned from. AP and AP50 of a run say how well the student agrees with its
      teacher there, not with the truth; fovea evaluate says that, on pictures that people labeled.
      --validation names such pictures for the run, too.

      A teacher that allows several sizes sees small objects better with a large --teacher-size.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    try TrainCommand.run(try TrainingPlan(arguments, hasTeacher: true), arguments)
  }
}
