// Fovea - the models of a service by their names.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// The models of a service by their names. Who has taken one keeps it, even when it is replaced.
package final class ModelShelf: Sendable {
  /// The names, the first of which is meant where a client names none.
  package let names: [String]
  private let sources: [String: ServedModel.Source]
  private let models: Locked<[String: ServedModel]>

  /// Opens all models.
  ///
  /// - Throws: What opening throws.
  package init(_ sources: [ServedModel.Source]) throws {
    names = sources.map(\.name)
    self.sources = Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0) })
    var models: [String: ServedModel] = [:]
    for source in sources { models[source.name] = try ServedModel(source) }
    self.models = Locked(models)
  }

  /// The model of a name, or the first.
  ///
  /// - Throws: A refusal that tells the names.
  func model(_ name: String? = nil) throws(ServiceRefusal) -> ServedModel {
    let name = name ?? names[0]
    if let known = known(name), let model = models.withLock({ $0[known] }) { return model }
    throw ServiceRefusal(
      404,
      "there is no model '\(name)'; the models are \(names.joined(separator: ", "))"
        + suggestion(for: name, among: names))
  }

  /// Whether there is a model of this name.
  func has(_ name: String) -> Bool { sources[name] != nil }

  /// The name that a client means, who may write it in other letters, or with the ending of a file.
  private func known(_ name: String) -> String? {
    if has(name) { return name }
    let lower = name.lowercased()
    return names.first { known in
      let known = known.lowercased()
      return lower == known || Self.endings.contains { lower == known + $0 }
    }
  }

  private static let endings = [".onnx", ".pt", ".mlmodel", ".tflite"]

  /// Opens a model again; requests that are being answered end with the old one.
  ///
  /// - Throws: A refusal, after which the old one stays.
  package func reload(_ name: String) throws(ServiceRefusal) {
    let name = try model(name).name
    guard let source = sources[name] else { return }
    do {
      let model = try ServedModel(source)
      models.withLock { $0[name] = model }
    } catch {
      throw ServiceRefusal(500, "the model '\(name)' stays as it was: \(error)")
    }
  }
}
