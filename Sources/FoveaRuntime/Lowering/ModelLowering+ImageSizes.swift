// Fovea - the sizes of images that a model allows.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
internal import FoveaModelFormat

extension ModelLowering {
  /// The image in the size that the options ask for, or in its default size.
  func sized(_ image: ImageFeature, name: String) throws(FoveaError) -> ImageFeature {
    var result = image
    guard let wanted = options.imageSizes[name] else { return image }
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

  /// Checks that every size in the options belongs to an image.
  func checkImageSizes() throws(FoveaError) {
    let images = inputs.filter { $0.image != nil }.map(\.name)
    if let name = options.imageSizes.keys.sorted().first(where: { !images.contains($0) }) {
      let list = images.map { "\"\($0)\"" }.joined(separator: ", ")
      throw FoveaError(
        .invalidArgument,
        "there is no image input \"\(name)\"; the model has \(list.isEmpty ? "none" : list)")
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
  var allowedSizesText: String {
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
  fileprivate var text: String { upper.map { "\(lower) to \($0)" } ?? "at least \(lower)" }
}
