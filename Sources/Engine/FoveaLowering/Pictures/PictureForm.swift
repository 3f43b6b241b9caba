// Fovea - a model with a picture as its input, in the place of an array.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore
package import FoveaModelValues
internal import FoveaProgramEnds

/// How a picture takes the place of an array of a model: everything settled.
package struct PictureForm: Sendable, Hashable {
  /// The name of the input.
  package let input: String
  /// The array as the file declares it.
  package let array: MultiArrayFeature
  /// The picture, with the color order of the network.
  package private(set) var image: ImageFeature
  /// What pixels, 0 to 255, are multiplied by: one number for each channel, in the network's order.
  package private(set) var scale: [Float]
  /// What is added then.
  package private(set) var bias: [Float]
  /// Why these numbers, in a few words behind "because".
  package private(set) var reason: String
  package let layout: PictureLayout
  /// Whether the network computes with halves from here on.
  private let isHalf: Bool

  /// The color order of the network.
  package var color: PictureInput.ColorOrder {
    switch image.colorSpace {
    case .rgb: .rgb
    case .bgr: .bgr
    case .grayscale, .grayscaleFloat16: .gray
    }
  }

  /// The shape of the array for a picture of a size.
  package func shape(rows: Int, columns: Int) -> [Int] {
    layout.shape(rows: rows, columns: columns)
  }

  // MARK: Which input

  /// The only input of a program that can be a picture, as it is given; `nil` if there is none, or
  /// several, or the model has an image input already. Of a pipeline, the first stage counts.
  package init?(of file: ModelDescription) {
    guard let function = file.firstFunction,
      !file.inputs.contains(where: \.type.isImage)
    else { return nil }
    var found: [PictureForm] = []
    for feature in file.inputs where !KnownInputs.isMask(feature.name) {
      guard case .multiArray(let array) = feature.type,
        case .tensor(let type)? = function.inputs.first(where: { $0.name == feature.name })?.type,
        type.element != .bool, type.element != .string,
        let (layout, image) = ImageFeature.picture(
          in: array, type, metadata: file.metadata.userDefined)
      else { continue }
      found.append(
        PictureForm(
          input: feature.name, array: array, image: image, layout: layout, element: type.element))
    }
    guard found.count == 1 else { return nil }
    self = found[0]
  }

  private init(
    input: String, array: MultiArrayFeature, image: ImageFeature, layout: PictureLayout,
    element: ElementType
  ) {
    self.input = input
    self.array = array
    self.image = image
    self.layout = layout
    isHalf = element == .float16
    scale = Array(repeating: 1, count: layout.channels)
    bias = Array(repeating: 0, count: layout.channels)
    reason = element.isFloat ? "" : "it reads integers"
  }

  /// Whether the array has integers, which are pixels as they are.
  var hasIntegers: Bool { !reason.isEmpty }

  // MARK: Which numbers

  /// The form with the numbers that a wish names, and others where it names none.
  ///
  /// - Throws: `invalidArgument` for a wish that does not fit the channels.
  func with(
    _ numbers: PictureNumbers, _ wish: PictureInput
  ) throws(FoveaError) -> PictureForm {
    var form = self
    let color = wish.color ?? (layout.channels == 1 ? .gray : numbers.color ?? .rgb)
    guard (color == .gray) == (layout.channels == 1) else {
      throw FoveaError(
        .invalidArgument,
        "the color order \(color.rawValue) is asked for; input \"\(input)\" has"
          + " \(layout.channels == 1 ? "one channel" : "three channels")")
    }
    form.image.colorSpace =
      switch color {
      case .rgb: .rgb
      case .bgr: .bgr
      case .gray: .grayscale
      }
    form.scale = try form.inOrder(wish.scale ?? numbers.scale, wish.scale == nil, "scale")
    // A bias belongs to its scale.
    let bias = wish.bias ?? (wish.scale == nil ? numbers.bias : [0])
    form.bias = try form.inOrder(bias, wish.bias == nil, "bias")
    form.reason = wish.isSpecific ? "the options say so" : numbers.reason
    return form
  }

  /// Numbers for red, green and blue in the order of the network's channels.
  private func inOrder(
    _ numbers: [Float], _ isAssumed: Bool, _ name: String
  ) throws(FoveaError) -> [Float] {
    if numbers.count == 1 { return Array(repeating: numbers[0], count: layout.channels) }
    // Gray stands between the colors.
    if layout.channels == 1, numbers.count == 3, isAssumed {
      return [numbers.reduce(0, +) / 3]
    }
    guard numbers.count == layout.channels else {
      throw FoveaError(
        .invalidArgument,
        "there are \(numbers.count) numbers for the \(name) of input \"\(input)\", which has"
          + " \(layout.channels) channel\(layout.channels == 1 ? "" : "s")")
    }
    return image.colorSpace == .bgr ? numbers.reversed() : numbers
  }

  // MARK: The model

  /// The model with the picture among its inputs. Its program is unchanged but for the type of that
  /// input: whoever lowers it writes the operations of this form first.
  package func applied(to file: ModelDescription) -> ModelDescription {
    var file = file
    file.inputs.replace(input, by: image)
    for index in file.functions.indices where file.functions[index].name == file.functionName {
      file.functions[index].inputs.replace(input, by: image)
    }
    switch file.body {
    case .program(var program):
      guard var function = program.functions[file.functionName] else { return file }
      for index in function.inputs.indices where function.inputs[index].name == input {
        function.inputs[index].type = .tensor(planes)
      }
      program.functions[file.functionName] = function
      file.body = .program(program)
    case .pipeline(var pipeline):
      pipeline.stages[0].model = applied(to: pipeline.stages[0].model)
      file.body = .pipeline(pipeline)
    case .neuralNetwork, .nonMaximumSuppression, .unsupported: break
    }
    return file
  }

  /// The type of the planes of an image, as ML Programs have it.
  private var planes: TensorType {
    let isFixed = image.allowedSizes == .fixed
    return TensorType(
      element: .float32,
      shape: [
        1, layout.channels, isFixed ? image.height : nil, isFixed ? image.width : nil,
      ])
  }
}

// MARK: Operations

extension PictureForm {
  /// The operations that make the array of the picture's planes, each with what names its result.
  ///
  /// - Parameters:
  ///   - turns: Whether an array of the file's own shape is wanted, and not planes.
  ///   - narrows: Whether halves are wanted where the file has them.
  func steps(turns: Bool, narrows: Bool) -> [(
    kind: String, arguments: [String: TensorProgram.Argument]
  )] {
    var steps: [(String, [String: TensorProgram.Argument])] = []
    if scale.contains(where: { $0 != 1 }) { steps.append(("mul", ["y": constant(scale)])) }
    if bias.contains(where: { $0 != 0 }) { steps.append(("add", ["y": constant(bias)])) }
    if isHalf, narrows { steps.append(("cast", ["dtype": .string("fp16")])) }
    guard turns else { return steps }
    if layout.isChannelsLast {
      steps.append(("transpose", ["perm": .integers([0, 2, 3, 1])]))
    }
    if layout.rank == 3 { steps.append(("squeeze", ["axes": .integers([0])])) }
    return steps
  }

  private func constant(_ numbers: [Float]) -> TensorProgram.Argument {
    numbers.allSatisfy { $0 == numbers[0] }
      ? .float(numbers[0]) : .floats(numbers, shape: [1, numbers.count, 1, 1])
  }

  /// A function of ML Programs that reads the picture: the operations of this form, then its own.
  func function(_ function: TensorProgram.Function) -> TensorProgram.Function {
    var names = Set(function.inputs.map(\.name))
    for operation in function.operations { names.formUnion(operation.results.map(\.name)) }
    var (last, type) = (input, planes)
    var operations: [TensorProgram.Operation] = []
    for (kind, arguments) in steps(turns: true, narrows: true) {
      let read = last
      last = "\(input).\(kind)"
      while !names.insert(last).inserted { last += "_" }
      type = type.after(kind)
      operations.append(
        TensorProgram.Operation(
          kind: kind, arguments: arguments.merging(["x": .value(read)]) { $1 }.mapValues { [$0] },
          results: [TensorProgram.Value(name: last, type: .tensor(type))]))
    }
    guard last != input else { return function }
    var result = function
    for index in result.operations.indices {
      result.operations[index].arguments = result.operations[index].arguments.mapValues { values in
        values.map { $0 == .value(input) ? .value(last) : $0 }
      }
    }
    result.operations.insert(contentsOf: operations, at: 0)
    return result
  }
}

extension [FeatureDescription] {
  /// Makes an image of the feature of a name.
  fileprivate mutating func replace(_ name: String, by image: ImageFeature) {
    for index in indices where self[index].name == name { self[index].type = .image(image) }
  }
}

extension TensorType {
  /// The type after one of the steps of a picture.
  fileprivate func after(_ kind: String) -> TensorType {
    switch kind {
    case "cast": TensorType(element: .float16, shape: shape)
    case "transpose":
      TensorType(element: element, shape: shape.map { [$0[0], $0[2], $0[3], $0[1]] })
    case "squeeze": TensorType(element: element, shape: shape.map { Array($0.dropFirst()) })
    default: self
    }
  }
}
