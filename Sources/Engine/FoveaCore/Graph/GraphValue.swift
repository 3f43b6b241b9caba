// Fovea - a value of a graph under construction, with its shape.
// SPDX-License-Identifier: Apache-2.0
package import CFovea

/// A value of a graph under construction: an input, a constant or the result of an operation.
package struct GraphValue {
  /// The core's word for it; means something only to the graph it comes from.
  package let value: fov_value
  /// Its shape, outermost first.
  package let shape: [Int]
  /// Whether all dimensions of a layer's input were taken away. Core ML holds such a number with
  /// one dimension, and counts none where dimensions are inserted.
  package var standsForNumber = false

  /// The number of dimensions.
  package var rank: Int { shape.count }
  /// The number of elements; the core has checked that it fits.
  package var count: Int { shape.reduce(1, *) }
  /// The size of the dimension `distance` places from the end: 3 means channels.
  package func size(fromEnd distance: Int) -> Int { shape[rank - distance] }
  /// Rows and columns, of a value of rank 2 or more.
  package var plane: (height: Int, width: Int) { (size(fromEnd: 2), size(fromEnd: 1)) }
}

extension fov_shape {
  /// A shape in the core's form.
  ///
  /// - Throws: `shapeMismatch` beyond the core's highest rank, `invalidArgument` for a size below 1.
  package init(_ shape: [Int]) throws(FoveaError) {
    self.init()
    guard shape.count <= Int(FOV_MAX_RANK) else {
      throw FoveaError(
        .shapeMismatch, "shape \(shape) has \(shape.count) dimensions; at most \(FOV_MAX_RANK) work"
      )
    }
    guard shape.allSatisfy({ $0 >= 1 }) else {
      throw FoveaError(.invalidArgument, "shape \(shape) has a dimension without elements")
    }
    rank = shape.count
    withUnsafeMutableBytes(of: &dims) { bytes in
      let sizes = bytes.bindMemory(to: Int.self)
      for (index, size) in shape.enumerated() { sizes[index] = size }
    }
  }

  /// The sizes, outermost first.
  package var sizes: [Int] {
    withUnsafeBytes(of: dims) { Array($0.bindMemory(to: Int.self).prefix(rank)) }
  }
}
