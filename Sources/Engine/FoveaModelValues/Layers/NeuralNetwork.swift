// Fovea - the description of a neural network.
// SPDX-License-Identifier: Apache-2.0

/// A network of layers, connected by named blobs.
public struct NeuralNetwork: Sendable, Equatable {
  /// The layers in the order in which they run. A layer reads only inputs of the network and blobs
  /// of earlier layers. No blob is written twice.
  public var layers: [NeuralNetworkLayer]
  /// The preprocessing of image inputs before the first layer.
  public var preprocessing: [Preprocessing]
  /// How array inputs become blobs.
  public var arrayInputShapeMapping: ArrayInputShapeMapping
  /// How image inputs become blobs.
  public var imageInputShapeMapping: ImageInputShapeMapping
  /// The labels of a classifier; `.none` for any other network.
  public var classLabels: ClassLabels
  /// The blob with the probabilities of a classifier; empty if the file names none.
  public var labelProbabilityLayerName: String

  /// How array inputs become blobs.
  public enum ArrayInputShapeMapping: Sendable, Hashable {
    /// Shapes are extended to rank 5, [sequence, batch, channel, height, width].
    case rank5
    /// Shapes are taken as declared (specification version 4 and later).
    case exact
  }

  /// How image inputs become blobs.
  public enum ImageInputShapeMapping: Sendable, Hashable {
    /// [1, 1, channel, height, width].
    case rank5
    /// [1, channel, height, width].
    case rank4
  }

  /// Whether blobs follow the old rank-5 rules.
  public var usesRank5ArrayMapping: Bool { arrayInputShapeMapping == .rank5 }

  /// Creates a network.
  public init(
    layers: [NeuralNetworkLayer], preprocessing: [Preprocessing] = [],
    arrayInputShapeMapping: ArrayInputShapeMapping = .rank5,
    imageInputShapeMapping: ImageInputShapeMapping = .rank5, classLabels: ClassLabels = .none,
    labelProbabilityLayerName: String = ""
  ) {
    self.layers = layers
    self.preprocessing = preprocessing
    self.arrayInputShapeMapping = arrayInputShapeMapping
    self.imageInputShapeMapping = imageInputShapeMapping
    self.classLabels = classLabels
    self.labelProbabilityLayerName = labelProbabilityLayerName
  }
}

/// One layer of a network.
public struct NeuralNetworkLayer: Sendable, Equatable {
  /// The layer's name; may be empty.
  public var name: String
  /// The blobs it reads.
  public var inputs: [String]
  /// The blobs it writes.
  public var outputs: [String]
  /// What it computes.
  public var kind: LayerKind
  /// The layer's type as the Core ML specification spells it, such as "convolution".
  public var typeName: String

  /// Creates a layer.
  public init(
    name: String, inputs: [String], outputs: [String], kind: LayerKind, typeName: String
  ) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    self.kind = kind
    self.typeName = typeName
  }
}

/// A preprocessing step of an image input before the first layer.
public struct Preprocessing: Sendable, Equatable {
  /// The input it applies to; empty means the only image input.
  public var featureName: String
  /// The arithmetic.
  public var kind: Kind

  /// The arithmetic of a preprocessing step.
  public enum Kind: Sendable, Equatable {
    /// y = channelScale * x + bias of the channel's color.
    case scaler(ImageScaler)
    /// y = x - mean, with one mean per channel, row and column, in that order.
    case meanImage([Float])
  }

  /// Creates a preprocessing step.
  public init(featureName: String, kind: Kind) {
    self.featureName = featureName
    self.kind = kind
  }
}

/// A scale for all channels and a bias per color; samples are in 0...255.
///
/// Biases are named by color, not by position: channel 0 of a BGR input takes `blueBias`.
public struct ImageScaler: Sendable, Hashable {
  /// The factor of every channel.
  public var channelScale: Float
  /// Added to red after scaling.
  public var redBias: Float
  /// Added to green after scaling.
  public var greenBias: Float
  /// Added to blue after scaling.
  public var blueBias: Float
  /// Added to gray after scaling.
  public var grayBias: Float

  /// Creates a scaler; the default changes nothing.
  public init(
    channelScale: Float = 1, redBias: Float = 0, greenBias: Float = 0, blueBias: Float = 0,
    grayBias: Float = 0
  ) {
    self.channelScale = channelScale
    self.redBias = redBias
    self.greenBias = greenBias
    self.blueBias = blueBias
    self.grayBias = grayBias
  }
}

/// The names of the classes, in the order of the scores.
public enum ClassLabels: Sendable, Hashable {
  /// The file has none.
  case none
  /// Strings.
  case strings([String])
  /// Integers.
  case int64s([Int64])

  /// The number of labels; 0 when there are none.
  public var count: Int {
    switch self {
    case .none: 0
    case .strings(let labels): labels.count
    case .int64s(let labels): labels.count
    }
  }

  /// The labels as text; `nil` when the file has none.
  public var names: [String]? {
    switch self {
    case .none: nil
    case .strings(let labels): labels
    case .int64s(let labels): labels.map { String($0) }
    }
  }
}
