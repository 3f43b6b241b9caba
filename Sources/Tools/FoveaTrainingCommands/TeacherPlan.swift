// Fovea - the detector that labels pictures for a run.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaTraining

/// The detector that labels pictures for a run.
struct TeacherPlan: Sendable {
  var model: String
  var options: TeacherOptions

  static let optionList: [CommandDescription.Option] = [
    .init(
      name: "--teacher", value: "MODEL",
      help: "the detector to learn from: a file of any format, or a name of fovea get --list"),
    .init(name: "--images", value: "FOLDER", help: "pictures without labels, which it labels"),
    .init(
      name: "--student", value: "MODEL",
      help: "the detector that learns (default: yolo-fastest-1.1, if it was fetched)"),
    .init(
      name: "--only", value: "A,B",
      help: "learn these classes only (default: those that the teacher finds)"),
    .init(
      name: "--teacher-size", value: "PIXELS",
      help: "the side of the teacher's input, where it allows several; a larger one finds more"),
    .init(
      name: "--threshold", value: "0...1",
      help: "the least confidence of what is to be found (default 0.5)"),
    .init(
      name: "--doubt", value: "0...1",
      help: "what is less certain, but at least so much, is neither to be found nor missed"
        + " (default 0.15)"),
  ]

  /// Reads the arguments.
  ///
  /// - Throws: `UsageError`, `CommandFailure`.
  init(_ arguments: ArgumentList, threads: Int) throws {
    let word = try arguments.required("--teacher", "name the detector to learn from")
    model = try StartModel.path(word)
    options = TeacherOptions(threads: threads)
    options.labels = try arguments.names("--only")
    options.size = try arguments.integer("--teacher-size", in: 32...4096)
    if let threshold = try arguments.fraction("--threshold") { options.confidence = threshold }
    options.doubt = try arguments.fraction("--doubt") ?? min(options.doubt, options.confidence)
    guard options.confidence > 0, options.doubt > 0, options.doubt <= options.confidence else {
      throw UsageError("--doubt and --threshold are above 0, and --doubt is not the greater one")
    }
  }

  // MARK: The file of a run

  /// What the file remembers.
  var entries: [String: String] {
    var entries = [
      "teacher": model, "threshold": "\(options.confidence)", "doubt": "\(options.doubt)",
    ]
    entries["only"] = options.labels?.joined(separator: ",")
    entries["teacherSize"] = options.size.map { "\($0)" }
    return entries
  }

  /// The teacher of a run that goes on; `nil` for a run without.
  init?(_ entries: [String: String], threads: Int) {
    guard let teacher = entries["teacher"] else { return nil }
    model = teacher
    options = TeacherOptions(threads: threads)
    options.labels = entries["only"]?.split(separator: ",").map(String.init)
    options.size = entries["teacherSize"].flatMap { Int($0) }
    options.confidence = entries["threshold"].flatMap { Double($0) } ?? options.confidence
    options.doubt = entries["doubt"].flatMap { Double($0) } ?? options.doubt
  }
}
