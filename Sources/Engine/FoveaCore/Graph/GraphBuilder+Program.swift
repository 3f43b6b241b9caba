// Fovea - operations that only programs have.
// SPDX-License-Identifier: Apache-2.0
package import CFovea
package import FoveaModelValues

extension GraphBuilder {
  /// Products of the matrices in the last two dimensions.
  package func matrixProduct(
    _ left: GraphValue, _ right: GraphValue, transposesLeft: Bool, transposesRight: Bool
  ) throws(FoveaError) -> GraphValue {
    var parameters = fov_matrix_product(
      transpose_left: transposesLeft, transpose_right: transposesRight)
    return try add {
      fov_graph_add_matrix_product($0, &parameters, left.value, right.value, $1, $2)
    }
  }

  /// [rows, inputs] times weights [outputs, inputs], transposed: [rows, outputs].
  ///
  /// A 1x1 convolution, so that weights stay coded. The rows are the pixels of its image, so that
  /// coded weights are read once and not once per row. The image has several rows, which threads
  /// divide, of pixels for at least one tile.
  package func dense(
    _ matrix: GraphValue, outputs: Int, weights: WeightData, bias: WeightData?
  ) throws(FoveaError) -> GraphValue {
    let (rows, columns) = matrix.plane
    let parameters = fov_convolution(
      output_channels: outputs, groups: 1, kernel: (1, 1), stride: (1, 1), dilation: (1, 1),
      before: (0, 0), after: (0, 0), output_extension: (0, 0))
    let height = (1...32).last { rows % $0 == 0 && rows / $0 >= 14 } ?? 1
    let pixels = try reshape(matrix, to: [1, height, rows / height, columns])
    let planes = try transpose(pixels, axes: [0, 3, 1, 2])
    let product = try convolution(planes, parameters, weights: weights, bias: bias)
    return try reshape(transpose(product, axes: [0, 2, 3, 1]), to: [rows, outputs])
  }

  /// Elements that indices name.
  package func gather(
    _ input: GraphValue, _ indices: GraphValue, kind: fov_gather_kind, axis: Int,
    batchDimensions: Int
  ) throws(FoveaError) -> GraphValue {
    var parameters = fov_gather(kind: kind, axis: axis, batch_dimensions: batchDimensions)
    return try add { fov_graph_add_gather($0, &parameters, input.value, indices.value, $1, $2) }
  }

  /// Indices of the largest or smallest elements of an axis, in their order.
  package func topKIndices(
    _ input: GraphValue, axis: Int, count: Int, isAscending: Bool
  ) throws(FoveaError) -> GraphValue {
    var parameters = fov_top_k(axis: axis, count: count, ascending: isAscending)
    return try add { fov_graph_add_top_k_indices($0, &parameters, input.value, $1, $2) }
  }

  /// Samples at coordinates.
  package func resample(
    _ input: GraphValue, _ coordinates: GraphValue, _ parameters: fov_resample
  ) throws(FoveaError) -> GraphValue {
    var parameters = parameters
    return try add {
      fov_graph_add_resample($0, &parameters, input.value, coordinates.value, $1, $2)
    }
  }

  /// Elements of the first array where the condition is not 0, of the second elsewhere.
  package func select(
    _ condition: GraphValue, _ first: GraphValue, _ second: GraphValue
  ) throws(FoveaError) -> GraphValue {
    try add {
      fov_graph_add_select($0, condition.value, first.value, second.value, $1, $2)
    }
  }

  /// Sums of all elements of an axis up to each.
  package func cumulativeSum(
    _ input: GraphValue, axis: Int, isExclusive: Bool, isReversed: Bool
  ) throws(FoveaError) -> GraphValue {
    var parameters = fov_cumulative_sum(
      axis: axis, exclusive: isExclusive, reverse: isReversed)
    return try add { fov_graph_add_cumulative_sum($0, &parameters, input.value, $1, $2) }
  }

  /// Indices of the boxes that suppression keeps, -1 behind the last.
  package func suppressionIndices(
    _ boxes: GraphValue, _ scores: GraphValue, _ parameters: fov_box_suppression
  ) throws(FoveaError) -> GraphValue {
    var parameters = parameters
    return try add {
      fov_graph_add_suppression_indices($0, &parameters, boxes.value, scores.value, $1, $2)
    }
  }

  /// Parts of images brought to one size.
  package func cropResize(
    _ input: GraphValue, _ boxes: GraphValue, _ images: GraphValue,
    _ parameters: fov_crop_resize
  ) throws(FoveaError) -> GraphValue {
    var parameters = parameters
    return try add {
      fov_graph_add_crop_resize(
        $0, &parameters, input.value, boxes.value, images.value, $1, $2)
    }
  }
}
