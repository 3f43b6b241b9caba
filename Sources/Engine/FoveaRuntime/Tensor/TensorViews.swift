// Fovea - other shapes for the same elements.
// SPDX-License-Identifier: Apache-2.0
package import FoveaCore

extension Tensor {
  /// The same elements in row-major order, with another shape.
  ///
  /// A tensor without gaps is not copied.
  ///
  /// - Throws: `shapeMismatch` if the number of elements differs.
  package func reshaped(to shape: [Int]) throws(FoveaError) -> Tensor {
    let wanted = try ArrayShape.elementCount(shape)
    guard wanted == count else {
      throw FoveaError(
        .shapeMismatch,
        "shape \(self.shape) has \(count) elements and cannot become \(shape), which has \(wanted)")
    }
    let strides = Self.rowMajorStrides(shape)
    if isContiguous {
      return Tensor(storage: storage, shape: shape, strides: strides, offset: offset)
    }
    return Tensor(storage: denseStorage(), shape: shape, strides: strides, offset: 0)
  }

  /// A view whose dimension i is dimension `axes[i]` of this tensor, without a copy.
  ///
  /// - Throws: `invalidArgument` unless `axes` has every dimension once.
  package func transposed(axes: [Int]) throws(FoveaError) -> Tensor {
    guard axes.sorted() == Array(0..<rank) else {
      throw FoveaError(
        .invalidArgument,
        "axes \(axes) do not name each of the \(rank) dimensions once")
    }
    return Tensor(
      storage: storage, shape: axes.map { shape[$0] }, strides: axes.map { strides[$0] },
      offset: offset)
  }

  /// A view with the dimensions in reverse order, without a copy.
  package func transposed() -> Tensor {
    Tensor(storage: storage, shape: shape.reversed(), strides: strides.reversed(), offset: offset)
  }

  /// A view of a range of one dimension, without a copy.
  ///
  /// - Throws: `invalidArgument` if the dimension does not exist, or does not contain the range.
  package func sliced(dimension: Int, _ range: Range<Int>) throws(FoveaError) -> Tensor {
    guard shape.indices.contains(dimension), range.lowerBound >= 0,
      range.upperBound <= shape[dimension]
    else {
      throw FoveaError(
        .invalidArgument, "no indices \(range) in dimension \(dimension) of shape \(shape)")
    }
    var sizes = shape
    sizes[dimension] = range.count
    let first = range.isEmpty ? offset : offset + range.lowerBound * strides[dimension]
    return Tensor(storage: storage, shape: sizes, strides: strides, offset: first)
  }

  /// The same tensor, row-major and without gaps.
  package func contiguous() -> Tensor {
    if isContiguous { return self }
    return Tensor(
      storage: denseStorage(), shape: shape, strides: Self.rowMajorStrides(shape), offset: 0)
  }
}
