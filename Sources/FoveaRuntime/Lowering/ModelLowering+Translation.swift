// Fovea - models of other formats as models of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

extension ModelLowering {
  /// A model that is a program as one of ML Programs, with a picture in the place of an array if the
  /// options ask for one, and with the sizes of inputs that it is run with.
  ///
  /// - Parameter isCoreML: Whether the types of the program are right as they are.
  /// - Throws: As `lower(_:options:picture:)`.
  static func translated(
    _ file: CoreMLModel, options: Model.Options, isCoreML: Bool
  ) throws(FoveaError) -> CoreMLModel {
    var options = options
    options.keepsTranslation = true
    let lowered = try lowerForPictures(file, options: options)
    var model = lowered.file
    guard case .program(let program) = model.body,
      var function = program.functions[model.functionName]
    else { return file }
    function.operations = lowered.translation
    model.functions = []
    if !isCoreML {
      model.specificationVersion = 0
      model.fix(lowered.inputs, lowered.outputs)
      for index in function.inputs.indices {
        let name = function.inputs[index].name
        guard let type = model.inputs.first(where: { $0.name == name })?.type.tensorType else {
          continue
        }
        function.inputs[index].type = .tensor(type)
      }
      function = function.inOperationsOfCoreML()
      try checkRanks(function)
    }
    model.body = .program(TensorProgram(functions: [model.functionName: function]))
    return model
  }

  /// Core ML has arrays of at most five dimensions.
  private static func checkRanks(_ function: TensorProgram.Function) throws(FoveaError) {
    for operation in function.operations {
      for case .tensor(let type) in operation.results.map(\.type) {
        guard let rank = type.shape?.count, rank > 5 else { continue }
        throw FoveaError(
          .unsupported,
          "\"\(ModelText.readable(operation.results[0].name))\" (\(operation.kind)) has \(rank)"
            + " dimensions; Core ML has at most 5. Export the model again without")
      }
    }
  }
}

extension CoreMLModel {
  /// Makes the sizes and types of inputs and outputs those of ports.
  fileprivate mutating func fix(_ inputPorts: [Model.Port], _ outputPorts: [Model.Port]) {
    for index in inputs.indices {
      guard let port = inputPorts.first(where: { $0.name == inputs[index].name }) else { continue }
      inputs[index].type = inputs[index].type.fixed(port)
    }
    for index in outputs.indices {
      guard let port = outputPorts.first(where: { $0.name == outputs[index].name }) else {
        continue
      }
      outputs[index].type = outputs[index].type.fixed(port)
    }
  }
}

extension FeatureType {
  /// The type with the sizes of a port, and numbers that inputs and outputs of programs may have.
  fileprivate func fixed(_ port: Model.Port) -> FeatureType {
    switch self {
    case .image(var image):
      (image.width, image.height) = (port.image?.width ?? 0, port.image?.height ?? 0)
      image.allowedSizes = .fixed
      return .image(image)
    case .multiArray(let array):
      let type: MultiArrayFeature.DataType = array.dataType == .int32 ? .int32 : .float32
      return .multiArray(MultiArrayFeature(shape: port.shape, dataType: type))
    default: return self
    }
  }

  /// What a function reads where its model has this feature.
  fileprivate var tensorType: TensorType? {
    switch self {
    case .image(let image):
      TensorType(
        element: .float32, shape: [1, image.colorSpace.channelCount, image.height, image.width])
    case .multiArray(let array):
      TensorType(element: array.dataType == .int32 ? .int32 : .float32, shape: array.shape)
    default: nil
    }
  }
}
