// Fovea - a row of numbers by which pictures are compared.
// SPDX-License-Identifier: Apache-2.0
public import FoveaVision

/// A row of numbers by which pictures are compared.
public struct ImageEmbedding: Hashable, Sendable {
  /// The numbers as the network wrote them.
  public let values: [Float]

  /// An embedding of these numbers, such as one that was stored.
  public init(_ values: [Float]) { self.values = values }

  /// One minus the cosine of the angle to another embedding of the same network: 0 for the same
  /// direction, 1 for a right angle, 2 for the opposite.
  ///
  /// - Throws: `.invalidRequest` for embeddings of different lengths, or of zeros alone.
  public func distance(to other: ImageEmbedding) throws(DetectionError) -> Float {
    guard values.count == other.values.count else {
      throw .invalidRequest(
        "the embeddings have \(values.count) and \(other.values.count) numbers; compare those of "
          + "one network")
    }
    var (product, own, others) = (0.0, 0.0, 0.0)
    for (a, b) in zip(values, other.values) {
      product += Double(a) * Double(b)
      own += Double(a) * Double(a)
      others += Double(b) * Double(b)
    }
    guard own > 0, others > 0 else {
      throw .invalidRequest("an embedding has zeros alone, and no direction")
    }
    return Float(1 - min(max(product / (own * others).squareRoot(), -1), 1))
  }
}
