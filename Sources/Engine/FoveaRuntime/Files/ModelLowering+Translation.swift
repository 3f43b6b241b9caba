// Fovea - models of other formats as models of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaLowering
internal import FoveaModelFormat

extension ModelLowering {
  /// A model that is a program, or a detector that is one, as a model of ML Programs: with a
  /// picture in the place of an array if the options ask for one, and with the sizes of inputs that
  /// it is run with.
  ///
  /// - Parameters:
  ///   - isCoreML: Whether the types of the program are right as they are.
  ///   - suppression: A suppression stage to be added.
  /// - Throws: As `lower(_:options:picture:)`; `unsupported` where no suppression can be added.
  static func translated(
    _ file: ModelDescription, options: Model.Options, isCoreML: Bool,
    suppression: AddedSuppression? = nil
  ) throws(FoveaError) -> ModelDescription {
    var options = options
    options.keepsTranslation = true
    let lowered = try HeadProbe.lower(file, name: "", options: options).model
    if isCoreML, lowered.picture == nil, suppression == nil { return file }
    var model = lowered.file
    switch model.body {
    case .program: model = try written(model, lowered, isCoreML, suppression)
    case .pipeline(var pipeline):
      if !isCoreML { model.specificationVersion = 0 }
      for index in pipeline.stages.indices {
        if !isCoreML { pipeline.stages[index].model.specificationVersion = 0 }
        pipeline.stages[index].model = try written(
          pipeline.stages[index].model, lowered, isCoreML, suppression)
      }
      model.body = .pipeline(pipeline)
    default: break
    }
    guard let suppression else { return model }
    return try suppression.pipeline(of: model, lowered)
  }

  private static func written(
    _ file: ModelDescription, _ lowered: LoweredModel, _ isCoreML: Bool,
    _ suppression: AddedSuppression?
  ) throws(FoveaError) -> ModelDescription {
    var model = file
    guard case .program(let program) = model.body,
      var function = program.functions[model.functionName]
    else { return file }
    function.operations = lowered.translation
    model.functions = []
    if suppression != nil {
      function.append(lowered.decoding)
    } else if !isCoreML {
      model.classify(&function, lowered)
    }
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
      model.fixOutputs(function)
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
          "\"\(ModelText.readable(operation.firstResult))\" (\(operation.kind)) has \(rank)"
            + " dimensions; Core ML has at most 5. Export the model again without")
      }
    }
  }
}

extension TensorProgram.Function {
  /// Appends the decoding of a head, whose results become the outputs. It computes with floats of
  /// 32 bits.
  fileprivate mutating func append(_ decoding: HeadDecoding?) {
    guard let decoding else { return }
    var floats: [String: String] = [:]
    var names = Set(operations.flatMap { $0.results.map(\.name) })
    for result in operations.flatMap(\.results) where outputs.contains(result.name) {
      guard case .tensor(var type) = result.type, type.element == .float16 else { continue }
      type.element = .float32
      var name = result.name + "_fp32"
      while !names.insert(name).inserted { name += "_" }
      floats[result.name] = name
      operations.append(
        TensorProgram.Operation(
          kind: "cast",
          arguments: ["x": [.value(result.name)], "dtype": [.string("fp32")]],
          results: [TensorProgram.Value(name: name, type: .tensor(type))]))
    }
    for var operation in decoding.operations {
      operation.arguments = operation.arguments.mapValues { given in
        given.map { argument in
          guard case .value(let name) = argument, let float = floats[name] else { return argument }
          return .value(float)
        }
      }
      operations.append(operation)
    }
    outputs = decoding.outputs
  }
}

extension ModelDescription {
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

extension ModelDescription {
  /// Gives outputs the types of the values that a function writes.
  fileprivate mutating func fixOutputs(_ function: TensorProgram.Function) {
    for result in function.operations.flatMap(\.results) {
      guard case .tensor(let type) = result.type,
        let index = outputs.firstIndex(where: { $0.name == result.name }),
        case .multiArray(var array) = outputs[index].type
      else { continue }
      array.dataType = type.element.isInteger ? .int32 : .float32
      outputs[index].type = .multiArray(array)
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
