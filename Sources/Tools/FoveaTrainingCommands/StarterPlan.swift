// Fovea - the starters of a run, and what they are pasted onto.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaTraining

/// The starters of a run, and what they are pasted onto.
struct StarterPlan: Sendable {
  var starters: String
  /// `nil` to draw them.
  var backgrounds: String?

  static let optionList: [CommandDescription.Option] = [
    .init(
      name: "--starters", value: "FOLDER",
      help: "learn from single pictures of flat things, such as cards and signs, without labels;"
        + " the class is the name of the file, or of its folder in FOLDER"),
    .init(
      name: "--backgrounds", value: "FOLDER",
      help: "pictures that starters are pasted onto, as from where the detector is to work"),
  ]

  /// Reads the arguments; `nil` without starters.
  ///
  /// - Throws: `UsageError`.
  init?(_ arguments: ArgumentList) throws {
    guard let starters = arguments.value("--starters") else {
      guard !arguments.has("--backgrounds") else {
        throw UsageError("--backgrounds is for --starters, which are pasted onto them")
      }
      return nil
    }
    guard !arguments.has("--annotations") else {
      throw UsageError("--starters and --annotations exclude each other: starters need no labels")
    }
    guard arguments.operands.isEmpty else {
      throw UsageError(
        "--starters and PICTURES exclude each other; --backgrounds names what starters are pasted"
          + " onto")
    }
    (self.starters, backgrounds) = (starters, arguments.value("--backgrounds"))
  }

  /// The starters with their classes.
  ///
  /// - Throws: `.unsuitablePictures`.
  func read() throws(TrainingError) -> StarterSet {
    let set = try StarterSet(starters: starters, backgrounds: backgrounds)
    let (starterCount, classCount) = (set.starters.count, set.labels.count)
    SystemInterface.writeError(
      "\(starterCount) \(starterCount == 1 ? "starter" : "starters") of \(classCount)"
        + " \(classCount == 1 ? "class" : "classes") (\(set.labels.joined(separator: ", ")))\n")
    if backgrounds == nil {
      SystemInterface.writeError(
        "warning: backgrounds are drawn, and no photographs; the detector is better with pictures"
          + " from where it is to work: --backgrounds FOLDER\n")
    }
    return set
  }

  // MARK: The file of a run

  /// What the file remembers.
  var entries: [String: String] {
    var entries = ["starters": starters]
    entries["backgrounds"] = backgrounds
    return entries
  }

  /// The starters of a run that goes on; `nil` for a run without.
  init?(_ entries: [String: String]) {
    guard let starters = entries["starters"] else { return nil }
    (self.starters, backgrounds) = (starters, entries["backgrounds"])
  }
}
