// Fovea - how much a model file may ask for.
// SPDX-License-Identifier: Apache-2.0

/// Upper bounds for a model file, so that a hostile file cannot exhaust memory or time.
///
/// The defaults are far above any real detector.
public struct ReadingLimits: Sendable, Hashable {
  /// The greatest depth of pipelines inside pipelines.
  public var pipelineDepth = 16
  /// The greatest number of models in one pipeline.
  public var stages = 256
  /// The greatest number of layers in one network.
  public var layers = 10_000
  /// The greatest number of operations in one function of a program, constants included.
  public var operations = 1_000_000
  /// The greatest depth of types inside types in a program.
  public var typeDepth = 16
  /// The greatest number of inputs, and of outputs, of one model or one layer.
  public var features = 10_000
  /// The greatest number of class labels of one model.
  public var labels = 1_000_000
  /// The greatest width or height of an image, in pixels.
  public var imageSide = 1 << 16
  /// The greatest number of pixels of an image.
  public var imagePixels = 1 << 28
  /// The greatest size of one dimension, a kernel, a stride or an amount of padding.
  public var dimension = Int(Int32.max)
  /// The greatest number of elements of one constant or one array of weights.
  public var elements = Int(Int32.max)
  /// The greatest number of dimensions of a shape.
  public var rank = 32

  /// Creates the default limits.
  public init() {}

  /// The number of elements of a shape, sizes of 0 counted as 1, so that every product of some of
  /// the sizes fits; `nil` where it is too large.
  package func elementCount(_ shape: [Int]) -> Int? {
    var count = 1
    for size in shape {
      let (next, overflow) = count.multipliedReportingOverflow(by: max(size, 1))
      guard !overflow, next <= elements else { return nil }
      count = next
    }
    return count
  }
}
