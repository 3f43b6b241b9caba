// Fovea - reading of a model's interface and metadata.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The interface of a model, before its body is known.
struct ModelInterface {
  var inputs: [FeatureDescription] = []
  var outputs: [FeatureDescription] = []
  var predictedFeatureName = ""
  var predictedProbabilitiesName = ""
  var metadata = ModelMetadata()
  /// Those of a program with several functions.
  var functions: [FunctionInterface] = []
  /// The function that the inputs and outputs above belong to.
  var functionName = "main"

  /// The names of the inputs and of the states, which are read in the same way.
  var inputNames: Set<String> = []
}

extension CoreMLReader {
  func readDescription(
    _ message: ProtobufMessage?
  ) throws(ModelFormatError) -> ModelInterface {
    var interface = ModelInterface()
    guard let message else { return interface }
    var inputs: [ProtobufMessage] = []
    var outputs: [ProtobufMessage] = []
    var metadata: ProtobufMessage?
    var functions: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&inputs, limit: limits.features)
      case 10: try field.read(&outputs, limit: limits.features)
      case 11: try field.read(&interface.predictedFeatureName)
      case 12: try field.read(&interface.predictedProbabilitiesName)
      case 20: try field.read(&functions, limit: limits.stages)
      case 21: try field.read(&interface.functionName)
      case 100: field.read(&metadata)
      default: break
      }
    }
    if interface.functionName.isEmpty { interface.functionName = "main" }
    interface.inputs = try readFeatures(inputs, "input")
    interface.outputs = try readFeatures(outputs, "output")
    try readFunctions(functions, into: &interface)
    interface.inputNames = Set(interface.inputs.map(\.name))
    if let metadata {
      interface.metadata = try within("metadata") { () throws(ModelFormatError) in
        try readMetadata(metadata)
      }
    }
    return interface
  }

  /// The interfaces of functions. The default one is the model's, where it states no other.
  private func readFunctions(
    _ messages: [ProtobufMessage], into interface: inout ModelInterface
  ) throws(ModelFormatError) {
    for (index, message) in messages.enumerated() {
      let function = try within("functions[\(index)]") { () throws(ModelFormatError) in
        try readFunction(message)
      }
      guard !interface.functions.contains(where: { $0.name == function.name }) else {
        throw invalid(
          "functions", found: "a second function '\(function.name)'",
          expected: "different names", at: message.offset)
      }
      interface.functions.append(function)
    }
    guard interface.inputs.isEmpty, interface.outputs.isEmpty,
      let chosen = interface.functions.first(where: { $0.name == interface.functionName })
    else { return }
    interface.inputs = chosen.inputs
    interface.outputs = chosen.outputs
    interface.predictedFeatureName = chosen.predictedFeatureName
    interface.predictedProbabilitiesName = chosen.predictedProbabilitiesName
  }

  private func readFunction(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> FunctionInterface {
    var function = FunctionInterface(name: "", inputs: [], outputs: [])
    var (inputs, outputs): ([ProtobufMessage], [ProtobufMessage]) = ([], [])
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&function.name)
      case 2: try field.read(&inputs, limit: limits.features)
      case 3: try field.read(&outputs, limit: limits.features)
      case 4: try field.read(&function.predictedFeatureName)
      case 5: try field.read(&function.predictedProbabilitiesName)
      default: break
      }
    }
    function.inputs = try readFeatures(inputs, "input")
    function.outputs = try readFeatures(outputs, "output")
    return function
  }

  private func readFeatures(
    _ messages: [ProtobufMessage], _ path: String
  ) throws(ModelFormatError) -> [FeatureDescription] {
    var features: [FeatureDescription] = []
    var names: Set<String> = []
    for (index, message) in messages.enumerated() {
      let feature = try within("\(path)[\(index)]") { () throws(ModelFormatError) in
        let feature = try readFeature(message)
        guard names.insert(feature.name).inserted else {
          throw invalid(
            "name", found: "a second \(path) '\(feature.name)'", expected: "different names",
            at: message.offset)
        }
        return feature
      }
      features.append(feature)
    }
    return features
  }

  private func readMetadata(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ModelMetadata {
    var metadata = ModelMetadata()
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&metadata.shortDescription)
      case 2: try field.read(&metadata.version)
      case 3: try field.read(&metadata.author)
      case 4: try field.read(&metadata.license)
      case 100:
        var entry: ProtobufMessage?
        field.read(&entry)
        if let entry { try readUserDefined(entry, into: &metadata.userDefined) }
      default: break
      }
    }
    return metadata
  }

  private func readUserDefined(
    _ entry: ProtobufMessage, into pairs: inout [String: String]
  ) throws(ModelFormatError) {
    var key = ""
    var value = ""
    var fields = ProtobufCursor(entry)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&key)
      case 2: try field.read(&value)
      default: break
      }
    }
    pairs[key] = value
  }
}
