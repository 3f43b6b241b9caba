// Fovea - reading of a model's interface and metadata.
// SPDX-License-Identifier: Apache-2.0

/// The interface of a model, before its body is known.
struct ModelInterface {
  var inputs: [FeatureDescription] = []
  var outputs: [FeatureDescription] = []
  var predictedFeatureName = ""
  var predictedProbabilitiesName = ""
  var metadata = ModelMetadata()

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
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: try field.read(&inputs, limit: limits.features)
      case 10: try field.read(&outputs, limit: limits.features)
      case 11: try field.read(&interface.predictedFeatureName)
      case 12: try field.read(&interface.predictedProbabilitiesName)
      case 100: field.read(&metadata)
      default: break
      }
    }
    interface.inputs = try readFeatures(inputs, "input")
    interface.outputs = try readFeatures(outputs, "output")
    interface.inputNames = Set(interface.inputs.map(\.name))
    if let metadata {
      interface.metadata = try within("metadata") { () throws(ModelFormatError) in
        try readMetadata(metadata)
      }
    }
    return interface
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
