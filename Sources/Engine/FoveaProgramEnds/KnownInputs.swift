// Fovea - inputs beside the picture whose values follow from it.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// Inputs of detectors whose values follow from the size of the picture that the network reads.
///
/// Detectors that scale their boxes back to the original picture are told its size. Boxes are mapped
/// back here, so the original is what the network reads:
///
///     orig_target_sizes  width, height        im_shape, image_shape  height, width
///     scale_factor       1, 1                 im_info                height, width, 1
///     pixel_mask         1 for each pixel
package enum KnownInputs {
  /// The model with constants in the place of such inputs; others stay.
  ///
  /// - Parameters:
  ///   - picture: The name of the input that is a picture.
  ///   - width: The width of the picture that the network reads.
  ///   - height: Its height.
  package static func filled(
    _ file: ModelDescription, beside picture: String, width: Int, height: Int
  ) -> ModelDescription {
    guard case .program(var program) = file.body,
      var function = program.functions[file.functionName], function.inputs.count > 1
    else { return file }
    var file = file
    for input in function.inputs where input.name != picture {
      guard let constant = constant(for: input, width: width, height: height) else { continue }
      function.inputs.removeAll { $0.name == input.name }
      file.inputs.removeAll { $0.name == input.name }
      function.operations.insert(.constant(constant, named: input.name), at: 0)
    }
    program.functions[file.functionName] = function
    file.body = .program(program)
    return file
  }

  /// Whether an input says which pixels of a batch belong to a picture.
  package static func isMask(_ name: String) -> Bool { name.lowercased() == "pixel_mask" }

  private static func constant(
    for input: TensorProgram.Value, width: Int, height: Int
  ) -> TensorConstant? {
    guard case .tensor(let type) = input.type, let sizes = type.shape else { return nil }
    var shape = sizes.map { $0 ?? 1 }
    let name = input.name.lowercased()
    if isMask(name) {
      guard shape.count == 3, shape[0] == 1 else { return nil }
      if sizes[1] == nil { shape[1] = height }
      if sizes[2] == nil { shape[2] = width }
      let (count, overflow) = shape[1].multipliedReportingOverflow(by: shape[2])
      guard !overflow, count <= 1 << 24 else { return nil }
      return numbers(Array(repeating: 1, count: count), shape, type.element)
    }
    guard let values = sizeNumbers(name, width, height), shape.dropLast().allSatisfy({ $0 == 1 }),
      shape.last == values.count
    else { return nil }
    return numbers(values, shape, type.element)
  }

  private static func sizeNumbers(_ name: String, _ width: Int, _ height: Int) -> [Int]? {
    switch name {
    case "orig_target_sizes": [width, height]
    case "im_shape", "image_shape": [height, width]
    case "scale_factor": [1, 1]
    case "im_info": [height, width, 1]
    // Which comes first is not known; in a square it does not matter.
    case "orig_size", "orig_sizes", "original_size", "target_sizes", "image_size", "img_size":
      width == height ? [height, width] : nil
    default: nil
    }
  }

  private static func numbers(
    _ values: [Int], _ shape: [Int], _ element: ElementType
  ) -> TensorConstant? {
    if element == .bool { return .booleans(values.map { $0 != 0 }, shape: shape) }
    return element.isFloat
      ? .floats(values.map { Float($0) }, shape: shape) : .integers(values, shape: shape)
  }
}
