// Fovea - values as Python writes them.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaLibc
internal import FoveaModelValues
internal import FoveaRuntime

/// What a model says of itself, as a literal of Python. The client of Ultralytics evaluates it, and
/// older ones as a program: so nothing of a file stands there but numbers and quoted texts.
enum PythonLiteral {
  /// The description of a detector.
  static func description(of model: ServedModel) -> String {
    let request = model.request
    let (size, metadata) = (request.inputSize, model.request.model.metadata.userDefined)
    let names = request.classLabels.enumerated().map { "\($0): \(quoted($1))" }
    let task =
      request.findsMasks
      ? "segment" : request.keypointCount > 0 ? "pose" : request.findsTurnedBoxes ? "obb" : "detect"
    let stride = metadata["stride"].flatMap { Int($0) } ?? 32
    var members = [
      "'description': \(quoted(model.name))", "'task': '\(task)'", "'batch': 1",
      "'stride': \(stride)", "'imgsz': [\(size.height), \(size.width)]",
      "'names': {\(names.joined(separator: ", "))}",
    ]
    if request.keypointCount > 0 {
      // Three numbers a point, unless the file says two.
      let numbers = metadata["kpt_shape"].map { $0.includes("2]") } ?? false ? 2 : 3
      members.append("'kpt_shape': [\(request.keypointCount), \(numbers)]")
    }
    return "{\(members.joined(separator: ", "))}"
  }

  /// A text in quotes, of signs of ASCII alone.
  static func quoted(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'", "\\": quoted += "\\\(scalar)"
      case " "..."~": quoted.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return quoted + "'"
  }
}
