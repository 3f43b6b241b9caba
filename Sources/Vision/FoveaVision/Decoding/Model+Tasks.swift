// Fovea - what models do beside finding and naming objects.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues
package import FoveaNetworkTasks
package import FoveaRuntime

extension Model {
  /// Which tasks the outputs that the file declares can have.
  package var tasks: TaskRecognition {
    let declared = Set(specification.outputs.map(\.name))
    let (rows, columns) = inputs.count == 1 ? inputs[0].pictureSides : (0, 0)
    // Names that the file does not have itself say nothing.
    let hasNames = classLabels?.first != "class 0"
    return TaskRecognition(
      specification,
      TaskRecognition.Interface(
        outputs: outputs.filter { declared.contains($0.name) }.map {
          NetworkOutput(name: $0.name, shape: $0.shape, image: $0.image)
        },
        rows: rows, columns: columns, classCount: hasNames ? classLabels?.count : nil))
  }

  /// What the model plainly does instead, and what does that, in words; empty where that is not plain.
  var otherTask: [String] {
    guard head == nil, suppression == nil, let found = tasks.plain else { return [] }
    return [
      "'\(found.output)' is \(found.task.text), because \(found.reason): use \(found.task.remedy)"
    ]
  }
}

extension Model.Port {
  /// Rows and columns of the picture that the port is, or of one that its array can be; zeros for none.
  fileprivate var pictureSides: (Int, Int) {
    if let image { return (image.height, image.width) }
    let sizes = Array(shape.suffix(3))
    guard (3...4).contains(shape.count), shape.count == 3 || shape[0] == 1 else { return (0, 0) }
    if [1, 3].contains(sizes[0]) { return (sizes[1], sizes[2]) }
    return [1, 3].contains(sizes[2]) ? (sizes[0], sizes[1]) : (0, 0)
  }
}
