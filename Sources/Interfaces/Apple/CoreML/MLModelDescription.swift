// Fovea - what a model says about itself.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaModelValues
internal import FoveaRuntime

public struct MLModelMetadataKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let description = MLModelMetadataKey(rawValue: "MLModelDescriptionKey")
  public static let versionString = MLModelMetadataKey(rawValue: "MLModelVersionStringKey")
  public static let author = MLModelMetadataKey(rawValue: "MLModelAuthorKey")
  public static let license = MLModelMetadataKey(rawValue: "MLModelLicenseKey")
  public static let creatorDefinedKey = MLModelMetadataKey(rawValue: "MLModelCreatorDefinedKey")
}

/// What a model says about itself.
public final class MLModelDescription: NSObject {
  public let inputDescriptionsByName: [String: MLFeatureDescription]
  public let outputDescriptionsByName: [String: MLFeatureDescription]
  public let predictedFeatureName: String?
  public let predictedProbabilitiesName: String?
  /// Strings or integers, in the order of the probabilities.
  public let classLabels: [Any]?
  public let metadata: [MLModelMetadataKey: Any]
  public var isUpdatable: Bool { false }

  init(_ model: Model) {
    func described(_ features: [FeatureDescription]) -> [String: MLFeatureDescription] {
      var all: [String: MLFeatureDescription] = [:]
      for feature in features { all[feature.name] = MLFeatureDescription(feature) }
      return all
    }
    let file = model.specification
    inputDescriptionsByName = described(file.inputs)
    outputDescriptionsByName = described(file.outputs)
    let (label, chances) = (file.predictedFeatureName, file.predictedProbabilitiesName)
    predictedFeatureName = label.isEmpty ? nil : label
    predictedProbabilitiesName = chances.isEmpty ? nil : chances
    let isNumber = outputDescriptionsByName[label]?.type == .int64
    classLabels = model.classLabels.map { labels in
      isNumber ? labels.map { Int64($0) ?? 0 } : labels
    }
    metadata = [
      .description: file.metadata.shortDescription, .versionString: file.metadata.version,
      .author: file.metadata.author, .license: file.metadata.license,
      .creatorDefinedKey: file.metadata.userDefined,
    ]
    super.init()
  }
}

/// An input or output of a model.
public final class MLFeatureDescription: NSObject {
  public let name: String
  public let type: MLFeatureType
  public let isOptional: Bool
  public let imageConstraint: MLImageConstraint?
  public let multiArrayConstraint: MLMultiArrayConstraint?
  public let dictionaryConstraint: MLDictionaryConstraint?

  init(_ feature: FeatureDescription) {
    (name, isOptional) = (feature.name, feature.isOptional)
    var image: MLImageConstraint?
    var array: MLMultiArrayConstraint?
    switch feature.type {
    case .image(let feature):
      type = .image
      image = MLImageConstraint(feature)
    case .multiArray(let feature):
      type = .multiArray
      array = MLMultiArrayConstraint(feature)
    case .double: type = .double
    case .int64: type = .int64
    case .string: type = .string
    case .dictionary: type = .dictionary
    case .sequence: type = .sequence
    case .state: type = .state
    case .unspecified: type = .invalid
    }
    (imageConstraint, multiArrayConstraint) = (image, array)
    dictionaryConstraint = type == .dictionary ? MLDictionaryConstraint() : nil
    super.init()
  }

  /// Whether a model would take the value.
  public func isAllowedValue(_ value: MLFeatureValue) -> Bool {
    if value.isUndefined { return isOptional }
    guard value.type == type else { return false }
    if let imageConstraint, let buffer = value.imageBufferValue {
      return imageConstraint.allows(width: buffer.columns, height: buffer.rows)
    }
    if let multiArrayConstraint, let array = value.multiArrayValue {
      return multiArrayConstraint.allows(array.sizes)
    }
    return true
  }
}

public final class MLDictionaryConstraint: NSObject {
  public var keyType: MLFeatureType { .string }
}

public enum MLImageSizeConstraintType: Int, Sendable {
  case unspecified = 0
  case enumerated = 2
  case range = 3
}

/// A size of pictures.
public final class MLImageSize: NSObject {
  public let pixelsWide, pixelsHigh: Int

  init(_ width: Int, _ height: Int) {
    (pixelsWide, pixelsHigh) = (width, height)
    super.init()
  }
}

/// The sizes of pictures that a model takes.
public final class MLImageSizeConstraint: NSObject {
  public let type: MLImageSizeConstraintType
  public let enumeratedImageSizes: [MLImageSize]
  public let pixelsWideRange, pixelsHighRange: NSRange

  init(_ feature: ImageFeature) {
    var sizes = [MLImageSize(feature.width, feature.height)]
    var ranges = (
      NSRange(location: feature.width, length: 0), NSRange(location: feature.height, length: 0)
    )
    switch feature.allowedSizes {
    case .fixed: type = .unspecified
    case .enumerated(let allowed):
      type = .enumerated
      sizes = allowed.map { MLImageSize($0.width, $0.height) }
    case .range(let width, let height):
      type = .range
      ranges = (NSRange(width), NSRange(height))
    }
    enumeratedImageSizes = sizes
    (pixelsWideRange, pixelsHighRange) = ranges
    super.init()
  }
}

extension NSRange {
  /// From the least size, and how much the greatest exceeds it.
  fileprivate init(_ range: SizeRange) {
    self.init(location: range.lower, length: (range.upper ?? Int(Int32.max)) - range.lower)
  }

  fileprivate func allows(_ size: Int) -> Bool { size >= location && size <= location + length }
}

/// What pictures a model takes or gives.
public final class MLImageConstraint: NSObject {
  public let pixelsWide, pixelsHigh: Int
  public let pixelFormatType: OSType
  public let sizeConstraint: MLImageSizeConstraint

  init(_ feature: ImageFeature) {
    (pixelsWide, pixelsHigh) = (feature.width, feature.height)
    switch feature.colorSpace {
    case .grayscale: pixelFormatType = kCVPixelFormatType_OneComponent8
    case .grayscaleFloat16: pixelFormatType = kCVPixelFormatType_OneComponent16Half
    case .rgb, .bgr: pixelFormatType = kCVPixelFormatType_32BGRA
    }
    sizeConstraint = MLImageSizeConstraint(feature)
    super.init()
  }

  func allows(width: Int, height: Int) -> Bool {
    switch sizeConstraint.type {
    case .unspecified: (width, height) == (pixelsWide, pixelsHigh)
    case .enumerated:
      sizeConstraint.enumeratedImageSizes.contains {
        ($0.pixelsWide, $0.pixelsHigh) == (width, height)
      }
    case .range:
      sizeConstraint.pixelsWideRange.allows(width) && sizeConstraint.pixelsHighRange.allows(height)
    }
  }
}

public enum MLMultiArrayShapeConstraintType: Int, Sendable {
  case unspecified = 1
  case enumerated, range
}

/// The shapes of arrays that a model takes.
public final class MLMultiArrayShapeConstraint: NSObject {
  public let type: MLMultiArrayShapeConstraintType
  public let enumeratedShapes: [[NSNumber]]
  public let sizeRangeForDimension: [NSValue]
  fileprivate let ranges: [NSRange]

  init(_ feature: MultiArrayFeature) {
    var (shapes, ranges): ([[Int]], [NSRange]) = ([feature.shape], [])
    switch feature.allowedShapes {
    case .fixed: type = .unspecified
    case .enumerated(let allowed): (type, shapes) = (.enumerated, allowed)
    case .ranges(let allowed): (type, ranges) = (.range, allowed.map { NSRange($0) })
    }
    enumeratedShapes = shapes.map { $0.map { NSNumber(value: $0) } }
    self.ranges = ranges
    sizeRangeForDimension = ranges.map { NSValue(range: $0) }
    super.init()
  }
}

/// What arrays a model takes or gives.
public final class MLMultiArrayConstraint: NSObject {
  public let shape: [NSNumber]
  public let dataType: MLMultiArrayDataType
  public let shapeConstraint: MLMultiArrayShapeConstraint
  private let sizes: [Int]

  init(_ feature: MultiArrayFeature) {
    sizes = feature.shape
    shape = sizes.map { NSNumber(value: $0) }
    dataType = MLMultiArrayDataType(feature.dataType)
    shapeConstraint = MLMultiArrayShapeConstraint(feature)
    super.init()
  }

  func allows(_ sizes: [Int]) -> Bool {
    switch shapeConstraint.type {
    case .unspecified: sizes == self.sizes
    case .enumerated: shapeConstraint.enumeratedShapes.contains { $0.map(\.intValue) == sizes }
    case .range:
      sizes.count == shapeConstraint.ranges.count
        && zip(sizes, shapeConstraint.ranges).allSatisfy { $1.allows($0) }
    }
  }
}

extension MLMultiArrayDataType {
  init(_ type: MultiArrayFeature.DataType) {
    switch type {
    case .double: self = .double
    case .float16: self = .float16
    case .int32: self = .int32
    case .int8: self = .int8
    case .float32, .unspecified: self = .float32
    }
  }
}
