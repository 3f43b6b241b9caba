// Fovea - how many elements a shape has.
// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on the shapes of arrays.
package enum ArrayShape {
  /// The number of elements of a shape.
  ///
  /// - Throws: `invalidArgument` for a negative size, `overflow` beyond what memory can address.
  package static func elementCount(_ shape: [Int]) throws(FoveaError) -> Int {
    if let size = shape.first(where: { $0 < 0 }) {
      throw FoveaError(.invalidArgument, "shape \(shape) has the negative size \(size)")
    }
    var count = 1
    // Strides step over sizes of zero, too: what the others say must be addressable also where there is no element.
    for size in shape where size != 0 {
      let (product, overflow) = count.multipliedReportingOverflow(by: size)
      guard !overflow, product <= Int.max / 8 else {
        throw FoveaError(.overflow, "shape \(shape) has more elements than memory can hold")
      }
      count = product
    }
    return shape.contains(0) ? 0 : count
  }
}
