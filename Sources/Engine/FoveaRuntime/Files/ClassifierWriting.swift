// Fovea - classifiers of other formats as classifiers of Core ML.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLowering
internal import FoveaModelValues

extension ModelDescription {
  /// Ends the program of a classifier as Core ML's own classifiers end: with probabilities by label.
  /// Other programs stay.
  mutating func classify(_ function: inout TensorProgram.Function, _ lowered: LoweredModel) {
    guard let probabilities = lowered.probabilities, let labels = lowered.classLabels,
      predictedFeatureName.isEmpty, outputs.count == 1,
      let port = lowered.outputs.first(where: { $0.name == probabilities }),
      port.count == labels.count
    else { return }
    var names = Set(function.inputs.map(\.name) + function.operations.flatMap(\.resultNames))
    func name(_ wanted: String) -> String {
      var name = wanted
      while !names.insert(name).inserted { name += "_" }
      return name
    }
    let row = ValueType.tensor(TensorType(element: .float32, shape: [1, labels.count]))
    var last = outputs[0].name
    func add(_ kind: String, _ arguments: [String: TensorProgram.Argument]) {
      let result = name("probabilities_\(kind)")
      function.operations.append(
        TensorProgram.Operation(
          kind: kind,
          arguments: arguments.merging(["x": .value(last)]) { $1 }.mapValues { [$0] },
          results: [TensorProgram.Value(name: result, type: row)]))
      last = result
    }
    // What is no output of the network follows from its one output.
    if probabilities != last {
      add("reshape", ["shape": .integers([1, labels.count])])
      add("softmax", ["axis": .integer(1)])
    }
    let (label, scores) = (name("classLabel"), name("classLabel_probs"))
    let text = ValueType.tensor(TensorType(element: .string, shape: []))
    let number = ValueType.tensor(TensorType(element: .float64, shape: []))
    let classes = TensorConstant(
      element: .string, shape: [labels.count], content: .strings(labels))
    function.operations.append(
      TensorProgram.Operation(
        kind: "classify",
        arguments: ["probabilities": [.value(last)], "classes": [.constant(classes)]],
        results: [
          TensorProgram.Value(name: label, type: text),
          TensorProgram.Value(name: scores, type: .dictionary(key: text, value: number)),
        ]))
    function.outputs = [label, scores]
    outputs = [
      FeatureDescription(name: label, type: .string),
      FeatureDescription(name: scores, type: .dictionary),
    ]
    (predictedFeatureName, predictedProbabilitiesName) = (label, scores)
  }
}

extension TensorProgram.Operation {
  fileprivate var resultNames: [String] { results.map(\.name) }
}
