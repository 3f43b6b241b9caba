// Fovea - the sizes of images and arrays that a model allows.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore
internal import FoveaGeometry
internal import FoveaModelValues

extension ModelLowering {
  /// The image in the size that the options ask for, or in its default size.
  func sized(_ image: ImageFeature, name: String) throws(FoveaError) -> ImageFeature {
    var result = image
    guard let wanted = options.imageSizes[name] ?? options.imageSize else { return image }
    guard image.allows(ImageFeature.Size(width: wanted.width, height: wanted.height)) else {
      throw FoveaError(
        .invalidArgument,
        "a size of \(wanted.width)x\(wanted.height) is not allowed; allowed is"
          + " \(image.allowedSizesText)")
    }
    result.width = wanted.width
    result.height = wanted.height
    return result
  }

  /// The array in the shape that the options ask for, or in its default shape.
  func sized(_ array: MultiArrayFeature, name: String) throws(FoveaError) -> [Int] {
    guard let wanted = options.arrayShapes[name] else { return array.defaultShape }
    guard array.allows(wanted) else {
      throw FoveaError(
        .invalidArgument,
        "a shape of \(wanted) is not allowed; allowed is \(array.allowedShapesText)")
    }
    return wanted
  }

  /// Checks that every size in the options belongs to an image, and every shape to an array.
  func checkSizes() throws(FoveaError) {
    if options.imageSize != nil, inputs.allSatisfy({ $0.image == nil }) {
      throw FoveaError(
        .invalidArgument, "a size of images is asked for, and no input of the model is an image")
    }
    try check(
      options.imageSizes.keys, among: inputs.filter { $0.image != nil }, kind: "image input")
    try check(
      options.arrayShapes.keys, among: inputs.filter { $0.image == nil }, kind: "array input")
  }

  private func check(
    _ names: some Collection<String>, among ports: [ModelPort], kind: String
  ) throws(FoveaError) {
    guard let name = names.sorted().first(where: { name in ports.allSatisfy { $0.name != name } })
    else { return }
    let list = ports.map { "\"\($0.name)\"" }.joined(separator: ", ")
    throw FoveaError(
      .invalidArgument,
      "there is no \(kind) \"\(name)\"; the model has \(list.isEmpty ? "none" : list)")
  }
}
