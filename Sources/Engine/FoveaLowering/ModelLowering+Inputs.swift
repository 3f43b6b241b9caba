// Fovea - lowering of the inputs of networks.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
package import FoveaModelValues

extension ModelLowering {
  /// The value that a network finds under the name of one of its inputs: what an earlier stage
  /// wrote, or an input of the graph. `nil` for inputs that no layer reads and that callers need
  /// not give, such as the thresholds of a later suppression.
  mutating func value(
    of feature: FeatureDescription, for network: NeuralNetwork, isRead: Bool
  ) throws(FoveaError) -> GraphValue? {
    let mapping = network.arrayInputShapeMapping
    if let earlier = features[feature.name] {
      guard case .multiArray(let array) = feature.type, case .multiArray = earlier.type else {
        return isRead ? earlier.value : nil
      }
      let declared = Self.shape(array.shape, ofComputed: earlier.value.shape)
      return try graph.reshape(earlier.value, to: mapping.blobShape(declared))
    }
    if !isRead && feature.isOptional { return nil }
    switch feature.type {
    case .image(let image):
      let image = try sized(image, name: feature.name)
      let bytes = try imageInput(feature.name, image)
      return try ImageLowering(graph: graph, image: image, name: feature.name)
        .planes(of: bytes, for: network)
    case .multiArray(let array):
      return try arrayInput(feature.name, sized(array, name: feature.name), mapping)
    case .double, .int64: return isRead ? try arrayInput(feature.name, [1], mapping) : nil
    default:
      guard isRead else { return nil }
      throw FoveaError(
        .unsupported, "networks can be run on images, arrays and numbers; it is none of these")
    }
  }

  /// The value that a program finds under the name of one of its inputs: what an earlier stage
  /// wrote, an image that is given as bytes, or an array.
  mutating func programValue(
    of input: TensorProgram.Value, _ feature: FeatureDescription?
  ) throws(FoveaError) -> ProgramValue {
    guard case .tensor(let type) = input.type, let elementClass = ElementClass(type.element) else {
      throw FoveaError(
        .unsupported,
        "it is no array: programs that keep a state between runs, or read texts, cannot be run")
    }
    if let earlier = features[input.name] {
      let shape = type.knownShape ?? earlier.value.shape
      return .computed(try graph.reshape(earlier.value, to: shape), elementClass)
    }
    guard let feature else {
      throw FoveaError(.invalidModel, "it is not described; \(FoveaError.damaged)")
    }
    switch feature.type {
    case .image(let image):
      let image = try sized(image, name: feature.name)
      let bytes = try imageInput(feature.name, image)
      return .image(ImageValue(name: feature.name, bytes: bytes, image: image))
    case .multiArray(let array):
      var shape = try sized(array, name: feature.name)
      if shape.isEmpty { shape = type.knownShape ?? [] }
      // A scalar is given as an array of one.
      let given = try arrayInput(feature.name, shape.isEmpty ? [1] : shape, .exact)
      return .computed(try graph.reshape(given, to: shape), elementClass)
    case .double, .int64:
      let given = try arrayInput(feature.name, [1], .exact)
      return .computed(try graph.reshape(given, to: type.knownShape ?? [1]), elementClass)
    default:
      throw FoveaError(
        .unsupported, "programs can be run on images, arrays and numbers; it is none of these")
    }
  }

  /// The declared shape where it has as many elements as the computed one, else that.
  static func shape(_ declared: [Int], ofComputed computed: [Int]) -> [Int] {
    guard !declared.isEmpty, declared.allSatisfy({ $0 >= 1 }),
      (try? ArrayShape.elementCount(declared)) == computed.reduce(1, *)
    else { return computed }
    return declared
  }

  private mutating func arrayInput(
    _ name: String, _ shape: [Int], _ mapping: NeuralNetwork.ArrayInputShapeMapping
  ) throws(FoveaError) -> GraphValue {
    guard !shape.isEmpty, shape.allSatisfy({ $0 >= 1 }) else {
      throw FoveaError(
        .unsupported, "its shape \(shape) is not fixed; export it with a fixed shape")
    }
    let value = try graphInput(ModelPort(name: name, type: .float32, shape: shape))
    return try graph.reshape(value, to: mapping.blobShape(shape))
  }

  /// Bytes of an image; networks that read the same image share them.
  private mutating func imageInput(
    _ name: String, _ image: ImageFeature
  ) throws(FoveaError) -> GraphValue {
    try graphInput(Self.imageInputPort(name, image))
  }

  /// The port of an image input of a size.
  package static func imageInputPort(_ name: String, _ image: ImageFeature) -> ModelPort {
    let plane = [image.height, image.width]
    let shape = image.colorSpace.channelCount == 1 ? plane : plane + [3]
    return ModelPort(name: name, type: .uint8, shape: shape, image: image)
  }

  private mutating func graphInput(_ port: ModelPort) throws(FoveaError) -> GraphValue {
    if let value = inputValues[port.name] {
      guard let existing = inputs.first(where: { $0.name == port.name }),
        existing.type == port.type, existing.shape == port.shape
      else {
        throw FoveaError(.unsupported, "two networks want it in different sizes or types")
      }
      return value
    }
    let value = try graph.input(port.name, type: port.type, shape: port.shape)
    inputValues[port.name] = value
    inputs.append(port)
    return value
  }
}

extension NeuralNetwork.ArrayInputShapeMapping {
  /// The shape that layers see: exact, or [1, 1, C, 1, 1] and [1, 1, C, H, W] by the rank-5 rules.
  /// Other ranks stay as they are; the rules name none.
  func blobShape(_ shape: [Int]) -> [Int] {
    guard self == .rank5 else { return shape }
    return switch shape.count {
    case 1: [1, 1, shape[0], 1, 1]
    case 3: [1, 1] + shape
    default: shape
    }
  }
}
