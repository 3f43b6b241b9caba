// Fovea - tests of which operations write over their input.
// SPDX-License-Identifier: Apache-2.0
import CFovea
import Testing

@Suite struct InPlaceTests {
  private let shape = [4, 16, 17]

  @Test func operationsOfOneElementWriteOverTheirInput() throws {
    var relu = fov_unary(function: .relu, alpha: 0, beta: 0)
    #expect(
      try GraphRunner.worksInPlace(shapes: [shape]) {
        fov_graph_add_unary($0, &relu, $1[0], $2, $3)
      })
    #expect(
      try GraphRunner.worksInPlace(shapes: [shape]) {
        fov_graph_add_softmax($0, 0, $1[0], $2, $3)
      })
    #expect(
      try GraphRunner.worksInPlace(shapes: [shape]) {
        fov_graph_add_channel_affine($0, 4, nil, nil, $1[0], $2, $3)
      })
  }

  @Test(arguments: [[4, 16, 17], [1], [4, 1, 1], [17]])
  func binaryWritesOverALeftSideOfItsOwnShape(_ right: [Int]) throws {
    #expect(
      try GraphRunner.worksInPlace(shapes: [shape, right]) {
        fov_graph_add_binary($0, .add, $1[0], $1[1], $2, $3)
      })
  }

  @Test func aRepeatedLeftSideIsKept() throws {
    #expect(
      try !GraphRunner.worksInPlace(shapes: [[4, 1, 1], shape]) {
        fov_graph_add_binary($0, .add, $1[0], $1[1], $2, $3)
      })
  }

  /// The left side dies with the addition, and the right side is the same memory.
  @Test func bothSidesInOneMemory() throws {
    let input = DenseArray(shape) { Float($0[0] * 1000 + $0[1] * 20 + $0[2]) }
    var flat = fov_shape(sizes: [1] + shape)
    let result = try GraphRunner.run([input], from: .intermediates) {
      graph, inputs, result, diagnostic in
      var alias = fov_value()
      let status = fov_graph_add_reshape(graph, &flat, inputs[0], &alias, diagnostic)
      guard status == .ok else { return status }
      return fov_graph_add_binary(graph, .add, inputs[0], alias, result, diagnostic)
    }
    #expect(result == DenseArray([1] + shape, input.values.map { 2 * $0 }))
  }

  @Test func operationsThatLookAroundKeepTheirInput() throws {
    var normalization = fov_local_response_normalization(size: 3, alpha: 1, beta: 1, k: 1)
    #expect(
      try !GraphRunner.worksInPlace(shapes: [shape]) {
        fov_graph_add_local_response_normalization($0, &normalization, $1[0], $2, $3)
      })
    #expect(
      try !GraphRunner.worksInPlace(shapes: [[17, 17]]) {
        fov_graph_add_transpose($0, [1, 0], $1[0], $2, $3)
      })
  }
}
