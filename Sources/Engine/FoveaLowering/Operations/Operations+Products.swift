// Fovea - products of matrices in programs.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Dense layers, products of two inputs, and attention.
  static let productRules: [String: OperationRule] = [
    "linear": { op throws(FoveaError) in try op.linear() },
    "matmul": { op throws(FoveaError) in try op.matrixProduct() },
    "scaled_dot_product_attention": { op throws(FoveaError) in try op.attention() },
  ]

  /// x W^T + b over the last dimension; W has shape [outputs, inputs].
  private func linear() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let weight = try constant("weight")
    guard x.rank >= 1, weight.shape.count == 2, x.shape[x.rank - 1] == weight.shape[1] else {
      throw mismatch("weights of shape \(weight.shape) for an input of shape \(x.shape)")
    }
    let bias = try has("bias") ? constant("bias") : nil
    guard bias.map({ $0.count == weight.shape[0] }) ?? true else {
      throw mismatch("\(bias?.count ?? 0) biases for \(weight.shape[0]) outputs")
    }
    let kept = Array(x.shape.dropLast())
    let matrix = try graph.reshape(x, to: [elementCount(kept), weight.shape[1]])
    let product = try graph.dense(
      matrix, outputs: weight.shape[0], weights: weight.weights(channelAxis: 0),
      bias: bias?.weights(channelAxis: 0))
    return result(try graph.reshape(product, to: kept + [weight.shape[0]]))
  }

  /// The product of the matrices in the last two dimensions; a vector is a matrix of one row on the
  /// left, of one column on the right.
  private func matrixProduct() throws(FoveaError) -> [ProgramValue] {
    var (x, y) = (try tensor("x"), try tensor("y"))
    let (xIsVector, yIsVector) = (x.rank == 1, y.rank == 1)
    if xIsVector { x = try graph.reshape(x, to: [1, x.count]) }
    if yIsVector { y = try graph.reshape(y, to: [y.count, 1]) }
    guard x.rank >= 2, y.rank >= 2 else {
      throw mismatch("a product of arrays of shapes \(x.shape) and \(y.shape)")
    }
    let transposesLeft = try boolean("transpose_x")
    let transposesRight = try boolean("transpose_y")
    let product = try graph.matrixProduct(
      x, y, transposesLeft: !xIsVector && transposesLeft,
      transposesRight: !yIsVector && transposesRight)
    var shape = product.shape
    if yIsVector { shape.removeLast() }
    if xIsVector { shape.remove(at: shape.count - (yIsVector ? 1 : 2)) }
    return result(try graph.reshape(product, to: shape), try commonClass())
  }

  /// softmax(q k^T / sqrt(size of q's rows) + mask) v. A mask of truth values keeps what is true.
  private func attention() throws(FoveaError) -> [ProgramValue] {
    let query = try tensor("query")
    guard query.rank >= 2 else { throw mismatch("queries of shape \(query.shape)") }
    let factor = 1 / Double(query.size(fromEnd: 1)).squareRoot()
    let scaled = try graph.unary(query, .linear, alpha: Float(factor))
    var scores = try graph.matrixProduct(
      scaled, tensor("key"), transposesLeft: false, transposesRight: true)
    if has("attn_mask") {
      let mask = try tensor("attn_mask")
      if try classOf("attn_mask") == .boolean {
        let hidden = try graph.constant([-Float.infinity], shape: [])
        scores = try graph.select(mask, scores, hidden)
      } else {
        scores = try graph.binary(.add, scores, mask)
      }
    }
    let weights = try graph.softmax(scores, axis: scores.rank - 1)
    return result(
      try graph.matrixProduct(
        weights, tensor("value"), transposesLeft: false, transposesRight: false))
  }
}
