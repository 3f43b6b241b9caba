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
    let tasks = model.tasks
    let file = model.specification
    let task: NetworkTask
    if let stated = tasks.stated {
      (task, because) = (stated.task, stated.reason)
    } else if !file.predictedProbabilitiesName.isEmpty {
      task = .classify
      because = "'\(file.predictedProbabilitiesName)' has the probabilities of its classes"
    } else if model.suppression != nil {
      (task, because) = (.detect, "it ends with the suppression of boxes")
    } else if let head = model.head {
      (task, because) = (.detect, head.reason.isEmpty ? "of its head" : head.reason)
    } else if let plain = tasks.plain {
      (task, because) = (plain.task, plain.reason)
    } else {
      return nil
    }
    (name, remedy) = (task.rawValue, task.remedy)
    if file.inputs.count == 1, file.inputs[0].type.isImage, model.picture == nil {
      pixels = PixelPreparation.text(file, input: file.inputs[0].name)
    }
  }

  /// The same for people.
  var text: String {
    "task: \(name), because \(because); use \(remedy)\n" + (pixels.map { "pixels: \($0)\n" } ?? "")
  }
}
