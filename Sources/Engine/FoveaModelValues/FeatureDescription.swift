// Fovea - the inputs and outputs a model declares.
// SPDX-License-Identifier: Apache-2.0

/// One input or output of a model.
public struct FeatureDescription: Sendable, Hashable {
  /// The name, which also connects stages of a pipeline.
  public var name: String
  /// The author's description.
  public var shortDescription: String
  /// What kind of value it is.
  public var type: FeatureType
  /// Whether a caller may omit the input.
  public var isOptional: Bool

  /// Creates a feature description.
  public init(
    name: String, shortDescription: String = "", type: FeatureType, isOptional: Bool = false
  ) {
    self.name = name
    self.shortDescription = shortDescription
    self.type = type
    self.isOptional = isOptional
  }
}

/// The kind of value of a feature.
public enum FeatureType: Sendable, Hashable {
  /// An image.
  case image(ImageFeature)
  /// An array of numbers.
  case multiArray(MultiArrayFeature)
  /// One double.
  case double
  /// One 64-bit integer.
  case int64
  /// A string.
  case string
  /// Values by key, such as the probability of every label.
  case dictionary
  /// A sequence of values.
  case sequence
  /// A state kept between runs.
  case state
  /// The file states no type. Such a feature cannot be used.
  case unspecified

  package var isImage: Bool { if case .image = self { true } else { false } }
}

/// An image that a model reads or writes.
public struct ImageFeature: Sendable, Hashable {
  /// Width in pixels, at least 1.
  public var width: Int
  /// Height in pixels, at least 1.
  public var height: Int
  /// The order and meaning of the channels.
  public var colorSpace: ColorSpace
  /// Other sizes the model accepts.
  public var allowedSizes: AllowedSizes

  /// The order and meaning of an image's channels.
  public enum ColorSpace: Sendable, Hashable {
    /// One channel of 8 bits.
    case grayscale
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
    /// One channel of half-precision floats.
    case grayscaleFloat16

    /// The number of channels of the network's input.
    public var channelCount: Int {
      switch self {
      case .grayscale, .grayscaleFloat16: 1
      case .rgb, .bgr: 3
      }
    }
  }

  /// The sizes a model accepts.
  public enum AllowedSizes: Sendable, Hashable {
    /// Only the declared width and height.
    case fixed
    /// One of a list; never empty.
    case enumerated([Size])
    /// Any width and height within ranges.
    case range(width: SizeRange, height: SizeRange)
  }

  /// A width and a height in pixels.
  public struct Size: Sendable, Hashable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// Creates an image feature.
  public init(
    width: Int, height: Int, colorSpace: ColorSpace, allowedSizes: AllowedSizes = .fixed
  ) {
    self.width = width
    self.height = height
    self.colorSpace = colorSpace
    self.allowedSizes = allowedSizes
  }
}

/// A range of sizes; both ends are included.
public struct SizeRange: Sendable, Hashable {
  /// The least size.
  public var lower: Int
  /// The greatest size; `nil` when there is no limit.
  public var upper: Int?

  /// Creates a range.
  public init(lower: Int, upper: Int?) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether a size lies in the range.
  public func contains(_ size: Int) -> Bool {
    size >= lower && (upper.map { size <= $0 } ?? true)
  }
}

/// An array of numbers that a model reads or writes.
public struct MultiArrayFeature: Sendable, Hashable {
  /// The default shape; empty where the file states none.
  public var shape: [Int]
  /// The type of the elements.
  public var dataType: DataType
  /// Other shapes the model accepts.
  public var allowedShapes: AllowedShapes

  /// The type of an array's elements.
  public enum DataType: Sendable, Hashable {
    /// 32-bit float.
    case float32
    /// 64-bit float.
    case double
    /// 16-bit float.
    case float16
    /// 32-bit integer.
    case int32
    /// 8-bit integer.
    case int8
    /// The file does not say.
    case unspecified
  }

  /// The shapes a model accepts.
  public enum AllowedShapes: Sendable, Hashable {
    /// Only the declared shape.
    case fixed
    /// One of a list.
    case enumerated([[Int]])
    /// A range for every dimension.
    case ranges([SizeRange])
  }

  /// Creates a multi-array feature.
  public init(shape: [Int], dataType: DataType, allowedShapes: AllowedShapes = .fixed) {
    self.shape = shape
    self.dataType = dataType
    self.allowedShapes = allowedShapes
  }
}
