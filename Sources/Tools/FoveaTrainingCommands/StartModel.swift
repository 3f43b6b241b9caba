// Fovea - the detector that a run starts from.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaModelCatalog

/// The detector that a run starts from: what the user names, or a small one that was fetched.
enum StartModel {
  /// Small detectors of the catalog, the best start first.
  private static let names = ["yolo-fastest-1.1-xl", "yolo-fastest-1.1"]
  /// Those that learn from others, the smallest first.
  static let students = Array(names.reversed())

  /// The path of the start.
  ///
  /// - Parameters:
  ///   - word: A path or a name of the catalog; `nil` for none.
  ///   - option: The option that names it.
  ///   - names: Models of the catalog that take its place.
  /// - Throws: `UsageError` where nothing is named and nothing was fetched; `CommandFailure` for a
  ///   name of the catalog that was not fetched.
  static func path(
    _ word: String?, option: String = "--start-from", names: [String] = names
  ) throws -> String {
    guard let word else {
      for name in names {
        if let path = try fetched(name) { return path }
      }
      throw UsageError(
        "\(option) is missing: name a detector to go on from, or fetch one:"
          + " fovea get \(names[0])")
    }
    if FilePath.exists(word) || word.contains("/") { return word }
    if let path = try fetched(word) { return path }
    guard (try? ModelCatalog())?[word] == nil else {
      throw CommandFailure("\(word): was not fetched; run 'fovea get \(word)'")
    }
    return word
  }

  private static func fetched(_ name: String) throws -> String? {
    do {
      guard let model = try ModelCatalog()[name] else { return nil }
      let cached = try CachedModel(model)
      return cached.isComplete ? cached.mainFile : nil
    } catch {
      throw CommandFailure("\(error)")
    }
  }
}
