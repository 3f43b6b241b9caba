// Fovea - interfaces and metadata of models as messages.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Writes `ModelDescription` messages.
struct DescriptionEncoder {
  /// The new names of features by the old ones, where they differ.
  var renamed: [String: String] = [:]

  /// The description of a model.
  func description(of model: ModelDescription) -> [UInt8] {
    ValueMessage.message { message in
      // A file with several functions describes each of them, and nothing besides.
      if model.functions.isEmpty {
        let own = FunctionInterface(
          model.inputs, model.outputs, model.predictedFeatureName,
          model.predictedProbabilitiesName)
        write(own, to: &message, inputs: 1, outputs: 10, names: 11)
      }
      for function in model.functions {
        message.message(20) { part in
          part.text(1, function.name)
          write(function, to: &part, inputs: 2, outputs: 3, names: 4)
        }
      }
      if !model.functions.isEmpty { message.text(21, model.functionName) }
      message.bytes(100, Self.metadata(model.metadata))
    }
  }

  private func write(
    _ interface: FunctionInterface, to message: inout WireWriter, inputs: Int, outputs: Int,
    names: Int
  ) {
    let keys = interface.outputs.first { $0.name == interface.predictedFeatureName }
    let hasIntegerKeys = keys?.type == .int64
    for feature in interface.inputs {
      message.bytes(inputs, self.feature(feature, hasIntegerKeys: hasIntegerKeys))
    }
    for feature in interface.outputs {
      message.bytes(outputs, self.feature(feature, hasIntegerKeys: hasIntegerKeys))
    }
    message.optionalText(names, name(interface.predictedFeatureName))
    message.optionalText(names + 1, name(interface.predictedProbabilitiesName))
  }

  /// The new name of a feature.
  func name(_ name: String) -> String { renamed[name] ?? name }

  // MARK: Features

  private func feature(_ feature: FeatureDescription, hasIntegerKeys: Bool) -> [UInt8] {
    ValueMessage.message { message in
      message.text(1, name(feature.name))
      message.optionalText(2, feature.shortDescription)
      message.message(3) { type in
        switch feature.type {
        case .int64: type.bytes(1, [])
        case .double: type.bytes(2, [])
        case .string: type.bytes(3, [])
        case .image(let image): type.message(4) { write(image, to: &$0) }
        case .multiArray(let array): type.message(5) { write(array, to: &$0) }
        case .dictionary: type.message(6) { $0.bytes(hasIntegerKeys ? 1 : 2, []) }
        case .sequence, .state, .unspecified: break
        }
        type.boolean(1000, feature.isOptional)
      }
    }
  }

  private func write(_ image: ImageFeature, to message: inout WireWriter) {
    message.integer(1, image.width)
    message.integer(2, image.height)
    let color =
      switch image.colorSpace {
      case .grayscale: 10
      case .rgb: 20
      case .bgr: 30
      case .grayscaleFloat16: 40
      }
    message.integer(3, color)
    switch image.allowedSizes {
    case .fixed: break
    case .enumerated(let sizes):
      message.message(21) { list in
        for size in sizes {
          list.message(1) { entry in
            entry.integer(1, size.width)
            entry.integer(2, size.height)
          }
        }
      }
    case .range(let width, let height):
      message.message(31) { range in
        range.bytes(1, self.range(width))
        range.bytes(2, self.range(height))
      }
    }
  }

  private func write(_ array: MultiArrayFeature, to message: inout WireWriter) {
    message.integers(1, array.shape)
    let type =
      switch array.dataType {
      case .float32: 65568
      case .double: 65600
      case .float16: 65552
      case .int32: 131104
      case .int8: 131080
      case .unspecified: 0
      }
    message.integer(2, type)
    switch array.allowedShapes {
    case .fixed: break
    case .enumerated(let shapes):
      message.message(21) { list in
        for shape in shapes { list.message(1) { $0.integers(1, shape) } }
      }
    case .ranges(let ranges):
      message.message(31) { list in for range in ranges { list.bytes(1, self.range(range)) } }
    }
  }

  private func range(_ range: SizeRange) -> [UInt8] {
    ValueMessage.message { message in
      message.integer(1, range.lower)
      message.integer(2, range.upper ?? -1)
    }
  }

  // MARK: Metadata

  /// A `Metadata` message.
  static func metadata(_ metadata: ModelMetadata) -> [UInt8] {
    ValueMessage.message { message in
      message.optionalText(1, metadata.shortDescription)
      message.optionalText(2, metadata.version)
      message.optionalText(3, metadata.author)
      message.optionalText(4, metadata.license)
      for (key, value) in metadata.userDefined.sorted(by: { $0.key < $1.key }) {
        message.message(100) { entry in
          entry.text(1, key)
          entry.text(2, value)
        }
      }
    }
  }
}

extension FunctionInterface {
  fileprivate init(
    _ inputs: [FeatureDescription], _ outputs: [FeatureDescription],
    _ predictedFeatureName: String, _ predictedProbabilitiesName: String
  ) {
    self.init(name: "", inputs: inputs, outputs: outputs)
    self.predictedFeatureName = predictedFeatureName
    self.predictedProbabilitiesName = predictedProbabilitiesName
  }
}
