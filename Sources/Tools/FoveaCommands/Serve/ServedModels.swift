// Fovea - the models that arguments of fovea serve name.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaFiles
internal import FoveaLibc
internal import FoveaModelCommands
internal import FoveaServing

/// The models that arguments of `fovea serve` name.
enum ServedModels {
  /// How each model is opened, by its name.
  ///
  /// - Throws: `UsageError` for two models of one name, or a name that no path can have.
  static func sources(_ arguments: ArgumentList) throws -> [ServedModel.Source] {
    let settings = try DetectionOptions(arguments)
    let named = try arguments.operands.map { try Self.named($0) }
    let all = named.isEmpty ? [("codes-and-text", ModelSource.codesAndText)] : named
    var seen: Set<String> = []
    return try all.map { (name, source) throws -> ServedModel.Source in
      guard seen.insert(name).inserted else {
        throw UsageError(
          "two models are called '\(name)'; give one another name: NAME=\(source.name)")
      }
      return self.source(name, source, settings, arguments)
    }
  }

  /// `NAME=MODEL`, or the model alone; a file whose name has such a sign counts as a file.
  private static func named(_ operand: String) throws -> (name: String, ModelSource) {
    var (name, path) = ("", operand)
    let parts = operand.split(separator: "=", maxSplits: 1).map { String($0) }
    if !FilePath.exists(operand), parts.count == 2, !parts[0].includes("/") {
      (name, path) = (parts[0], parts[1])
    }
    if name.isEmpty { name = FilePath.stem(of: path) }
    guard !name.isEmpty, name.utf8.count <= 128, !name.includes("/"),
      name.unicodeScalars.allSatisfy({
        $0.value > 0x20 && $0.value != 0x7F && $0 != "?" && $0 != "#"
      })
    else {
      throw UsageError("'\(name)' cannot be a name in an address; call the model NAME=\(path)")
    }
    return (name, .file(try ModelNames.path(path)))
  }

  private static func source(
    _ name: String, _ source: ModelSource, _ settings: DetectionOptions, _ arguments: ArgumentList
  ) -> ServedModel.Source {
    ServedModel.Source(name: name) {
      try request(source, settings, arguments)
    } forArrays: {
      try ModelLoading.load(source, arguments, pictures: nil, decodesHead: false)
    }
  }

  /// The request with a model, as arguments ask for it.
  ///
  /// - Throws: `CommandFailure`, which names the file.
  static func request(
    _ source: ModelSource, _ settings: DetectionOptions, _ arguments: ArgumentList
  ) throws -> DetectObjectsRequest {
    let model = try ModelLoading.load(source, arguments)
    // Requests run side by side, each on the thread that answers it.
    let pool = try ThreadPool(threadCount: 1)
    do throws(DetectionError) {
      return try settings.request(model: model, pool: pool)
    } catch {
      throw error.reported(file: source.name)
    }
  }
}
