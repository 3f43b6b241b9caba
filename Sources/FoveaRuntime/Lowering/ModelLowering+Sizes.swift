// Fovea - the sizes of images and arrays that a model allows.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
package import FoveaModelFormat

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
    _ names: some Collection<String>, among ports: [Model.Port], kind: String
  ) throws(FoveaError) {
    guard let name = names.sorted().first(where: { name in ports.allSatisfy { $0.name != name } })
    else { return }
    let list = ports.map { "\"\($0.name)\"" }.joined(separator: ", ")
    throw FoveaError(
      .invalidArgument,
      "there is no \(kind) \"\(name)\"; the model has \(list.isEmpty ? "none" : list)")
  }
}

extension MultiArrayFeature {
  /// The shape of the file; the first or least allowed one where the file leaves it out.
  fileprivate var defaultShape: [Int] {
    guard shape.isEmpty else { return shape }
    return switch allowedShapes {
    case .fixed: []
    case .enumerated(let shapes): shapes.first ?? []
    case .ranges(let ranges): ranges.map { max($0.lower, 1) }
    }
  }

  /// Whether the model can be run on arrays of a shape.
  func allows(_ wanted: [Int]) -> Bool {
    guard wanted.allSatisfy({ $0 >= 1 }) else { return false }
    if wanted == shape { return true }
    return switch allowedShapes {
    case .fixed: false
    case .enumerated(let shapes): shapes.contains(wanted)
    case .ranges(let ranges):
      ranges.count == wanted.count && zip(ranges, wanted).allSatisfy { $0.contains($1) }
    }
  }

  /// The allowed shapes for people.
  package var allowedShapesText: String {
    switch allowedShapes {
    case .fixed: "only \(shape)"
    case .enumerated(let shapes):
      (shape.isEmpty ? shapes : [shape] + shapes.filter { $0 != shape }).map { "\($0)" }.joined(
        separator: ", ")
    case .ranges(let ranges): "[\(ranges.map(\.text).joined(separator: ", "))]"
    }
  }
}

extension ImageFeature {
  /// Whether the model can be run on images of a size.
  func allows(_ size: Size) -> Bool {
    if size == Size(width: width, height: height) { return true }
    return switch allowedSizes {
    case .fixed: false
    case .enumerated(let sizes): sizes.contains(size)
    case .range(let widths, let heights):
      size.width >= 1 && size.height >= 1 && widths.contains(size.width)
        && heights.contains(size.height)
    }
  }

  /// The allowed sizes for people, width before height.
  package var allowedSizesText: String {
    let own = "\(width)x\(height)"
    return switch allowedSizes {
    case .fixed: "only \(own)"
    case .enumerated(let sizes):
      ([own] + sizes.map { "\($0.width)x\($0.height)" }.filter { $0 != own })
        .joined(separator: ", ")
    case .range(let widths, let heights):
      "a width of \(widths.text) and a height of \(heights.text)"
    }
  }
}

extension SizeRange {
  fileprivate var text: String {
    guard let upper else { return "at least \(lower)" }
    return lower == upper ? "\(lower)" : "\(lower) to \(upper)"
  }
}
