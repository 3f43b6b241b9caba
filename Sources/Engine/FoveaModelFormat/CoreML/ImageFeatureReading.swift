// Fovea - reading of image features.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

extension CoreMLReader {
  func readImage(_ message: ProtobufMessage) throws(ModelFormatError) -> ImageFeature {
    var width: Int64 = 0
    var height: Int64 = 0
    var color: Int32 = 0
    var flexibility = 0
    var flexible: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&width)
      case 2: field.read(&height)
      case 3: field.read(&color)
      case 21, 31:
        guard field.wire == .bytes else { continue }
        if field.number != flexibility { flexible = nil }
        flexibility = field.number
        field.read(&flexible)
      default: break
      }
    }
    let colorSpace: ImageFeature.ColorSpace = try enumeration(
      color, "colorSpace", [10: .grayscale, 20: .rgb, 30: .bgr, 40: .grayscaleFloat16],
      at: message.offset)
    var allowed = ImageFeature.AllowedSizes.fixed
    if let flexible {
      allowed =
        flexibility == 21 ? try readImageSizes(flexible) : try readImageRange(flexible)
    }
    // A flexible image may leave its default size out.
    if width == 0 && height == 0, let size = allowed.leastSize {
      (width, height) = (Int64(size.width), Int64(size.height))
    }
    let size = try imageSize(width, height, at: message.offset)
    return ImageFeature(
      width: size.width, height: size.height, colorSpace: colorSpace, allowedSizes: allowed)
  }

  private func imageSize(
    _ width: Int64, _ height: Int64, at offset: Int
  ) throws(ModelFormatError) -> ImageFeature.Size {
    let sides = 1...Int64(limits.imageSide)
    guard sides.contains(width), sides.contains(height),
      width.multipliedReportingOverflow(by: height).partialValue <= limits.imagePixels
    else {
      throw invalid(
        "", found: "an image of \(width) x \(height) pixels",
        expected: "1 to \(limits.imageSide) a side and at most \(limits.imagePixels) in all",
        at: offset)
    }
    return ImageFeature.Size(width: Int(width), height: Int(height))
  }

  private func readImageSizes(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ImageFeature.AllowedSizes {
    var sizes: [ProtobufMessage] = []
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      if field.number == 1 { try field.read(&sizes, limit: limits.features) }
    }
    var allowed: [ImageFeature.Size] = []
    for size in sizes {
      var width: Int64 = 0
      var height: Int64 = 0
      var fields = ProtobufCursor(size)
      while let field = try fields.next() {
        switch field.number {
        case 1: field.read(&width)
        case 2: field.read(&height)
        default: break
        }
      }
      allowed.append(try imageSize(width, height, at: size.offset))
    }
    guard !allowed.isEmpty else {
      throw invalid(
        "enumeratedSizes", found: "no sizes", expected: "at least one", at: message.offset)
    }
    return .enumerated(allowed)
  }

  private func readImageRange(
    _ message: ProtobufMessage
  ) throws(ModelFormatError) -> ImageFeature.AllowedSizes {
    var width: ProtobufMessage?
    var height: ProtobufMessage?
    var fields = ProtobufCursor(message)
    while let field = try fields.next() {
      switch field.number {
      case 1: field.read(&width)
      case 2: field.read(&height)
      default: break
      }
    }
    return .range(
      width: try readRange(try required(width, "widthRange", in: message)),
      height: try readRange(try required(height, "heightRange", in: message)))
  }
}

extension ImageFeature.AllowedSizes {
  /// The size to take where a file leaves the default out.
  fileprivate var leastSize: ImageFeature.Size? {
    switch self {
    case .fixed: nil
    case .enumerated(let sizes): sizes.first
    case .range(let width, let height):
      ImageFeature.Size(width: max(width.lower, 1), height: max(height.lower, 1))
    }
  }
}
