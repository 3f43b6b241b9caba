// Fovea - what is made of one model for several shapes of its inputs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// What is made of one model for several shapes of its inputs: a model of that shape, and what runs
/// it. A variant is made when its shape is first asked for. The variants that were used last are
/// kept.
///
/// Any number of threads may ask. While one variant is made, the others wait.
package final class ModelVariants<Shape: Equatable & Sendable, Variant: Sendable>: Sendable {
  private let kept = Locked<[(shape: Shape, variant: Variant)]>([])
  private let limit: Int

  /// - Parameter limit: How many are kept. Every variant has weights of its own: more than a few
  ///   take more memory than they save time.
  package init(keepingAtMost limit: Int = 4) {
    self.limit = limit
  }

  /// The variant for a shape; `make` makes it where it is not there.
  ///
  /// - Throws: What `make` throws. Nothing is kept then.
  /// - Complexity: O(n) comparisons of shapes, for n that are kept.
  package func variant<Failure: Error>(
    for shape: Shape, _ make: () throws(Failure) -> Variant
  ) throws(Failure) -> Variant {
    try kept.withLock { kept throws(Failure) in
      if let place = kept.firstIndex(where: { $0.shape == shape }) {
        let found = kept.remove(at: place)
        kept.append(found)
        return found.variant
      }
      let made = try make()
      if kept.count >= limit { kept.removeFirst() }
      kept.append((shape, made))
      return made
    }
  }
}
