// Fovea - what a model is for, in documents.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaModelValues
internal import FoveaNetworkTasks

/// What a model is for, in documents.
struct TaskReport: Encodable {
  var name: String
  var because: String
  /// What happens to pixels first in a file that reads pictures; absent for others.
  var pixels: String?
  private let remedy: String

  private enum CodingKeys: CodingKey { case name, because, pixels }

  /// `nil` for a model of which nothing says what it is for.
  init?(_ model: Model) {
    guard let found = Self.task(of: model) else { return nil }
    let (task, file) = (found.task, model.specification)
    because = found.reason
    (name, remedy) = (task.rawValue, task.remedy)
    if file.inputs.count == 1, file.inputs[0].type.isImage, model.picture == nil {
      pixels = PixelPreparation.text(file, input: file.inputs[0].name)
    }
  }

  /// What a model is for, and why; `nil` where nothing says it.
  static func task(of model: Model) -> (task: NetworkTask, reason: String)? {
    let tasks = model.tasks
    if let stated = tasks.stated { return (stated.task, stated.reason) }
    let probabilities = model.specification.predictedProbabilitiesName
    if !probabilities.isEmpty {
      return (.classify, "'\(probabilities)' has the probabilities of its classes")
    }
    if model.suppression != nil { return (.detect, "it ends with the suppression of boxes") }
    if let head = model.head {
      return (.detect, head.reason.isEmpty ? "of its head" : head.reason)
    }
    return tasks.plain.map { ($0.task, $0.reason) }
  }

  /// The same for people.
  var text: String {
    "task: \(name), because \(because); use \(remedy)\n" + (pixels.map { "pixels: \($0)\n" } ?? "")
  }
}
