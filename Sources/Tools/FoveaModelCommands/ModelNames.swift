// Fovea - models that arguments name by a file or by the catalog.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCommandLine
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaModelCatalog

/// Models that arguments name: files, folders of packages, and models of the catalog.
package enum ModelNames {
  /// How the names of files that may be models end. Those of checkpoints get an answer that helps.
  private static let endings = [
    ".mlmodel", ".mlpackage", ".mlmodelc", ".onnx", ".tflite", ".cfg", ".weights", ".fovea", ".pt",
    ".pth", ".safetensors",
  ]

  /// The path of what a word names. What is there wins over the catalog.
  ///
  /// - Throws: `CommandFailure` for a model of the catalog that was not fetched.
  package static func path(_ word: String) throws(CommandFailure) -> String {
    guard !FilePath.exists(word), !word.includes("/") else { return word }
    do {
      let catalog = try ModelCatalog()
      guard let model = catalog[word] else {
        let meant = suggestion(for: word, among: catalog.models.map(\.name))
        guard !meant.isEmpty, !hasEnding(word) else { return word }
        throw CommandFailure(
          "\(word): there is no such file, and no such model of 'fovea get'\(meant)")
      }
      let folder = try CachedModel(model)
      guard folder.isComplete else {
        throw CommandFailure(
          "\(word): there is no such file here, and the model of that name is not in "
            + "\(folder.path); run 'fovea get \(word)'")
      }
      return folder.mainFile
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("\(error)")
    }
  }

  /// Whether a word among images names a model.
  package static func isModel(_ word: String) -> Bool {
    if hasEnding(word) { return true }
    guard !FilePath.exists(word), !word.includes("/") else { return false }
    return (try? ModelCatalog())?[word] != nil
  }

  private static func hasEnding(_ word: String) -> Bool {
    var lower = word.lowercased()
    while lower.count > 1, lower.hasSuffix("/") { lower.removeLast() }
    return endings.contains { lower.hasSuffix($0) }
  }
}

extension LeadingArgument {
  /// The model of a command that cannot do without: its first operand, or `--model`.
  package static let model = models(atMost: 1)
  /// The model of a command on images: `--model`, or what comes before them and names a model.
  package static let modelBeforeImages = LeadingArgument(
    option: "--model", place: .option(isMeant: ModelNames.isModel), meaning: ModelNames.path)

  /// Several models of a command.
  package static func models(atMost count: Int) -> LeadingArgument {
    LeadingArgument(
      option: "--model", place: .operands(atMost: count), meaning: ModelNames.path)
  }
}
