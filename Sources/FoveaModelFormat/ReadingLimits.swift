// Fovea - how much a model file may ask for.
// SPDX-License-Identifier: Apache-2.0

/// Upper bounds that a file is held to, so that a hostile one cannot exhaust its reader.
///
/// The defaults are far above any real detector.
public struct ReadingLimits: Sendable, Hashable {
  /// Pipelines inside pipelines.
  public var pipelineDepth = 16
  /// Models in one pipeline.
  public var stages = 256
  /// Layers in one network.
  public var layers = 10_000
  /// Inputs, and outputs, of one model or one layer.
  public var features = 10_000
  /// Class labels of one model.
  public var labels = 1_000_000
  /// The greatest width or height of an image, in pixels.
  public var imageSide = 1 << 16
  /// The greatest number of pixels of an image.
  public var imagePixels = 1 << 28
  /// The greatest size of one dimension, a kernel, a stride or an amount of padding.
  public var dimension = Int(Int32.max)
  /// The greatest number of elements of one constant or one array of weights.
  public var elements = Int(Int32.max)
  /// The highest number of dimensions of a shape.
  public var rank = 32

  /// The defaults.
  public init() {}
}
