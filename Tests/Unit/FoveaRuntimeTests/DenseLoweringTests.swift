// Fovea - dense layers and matrix products against loops.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import Testing

@Suite struct DenseLoweringTests {
  /// rows x inputs times the transpose of outputs x inputs.
  static func naive(_ x: [Float], _ w: [Float], inputs: Int, outputs: Int, bias: [Float]) -> [Float]
  {
    (0..<x.count / inputs).flatMap { row in
      (0..<outputs).map { output in
        (0..<inputs).reduce(bias[output]) { $0 + x[row * inputs + $1] * w[output * inputs + $1] }
      }
    }
  }

  @Test(arguments: [
    ([12], [5]), ([3, 12], [3, 5]), ([2, 3, 12], [2, 3, 5]), ([2, 3, 2, 2], [2, 5, 1, 1]),
    ([1, 2, 3, 2, 2], [1, 2, 5, 1, 1]),
  ])
  func innerProductOfEveryRank(shape: [Int], expected: [Int]) throws {
    let (matrix, bias) = (numbers(60, seed: 2), numbers(5, seed: 3))
    let layer = InnerProductLayer(
      inputChannels: 12, outputChannels: 5, weights: weights(matrix), bias: weights(bias))
    let input = try tensor(shape)
    let output = try LayerRunner().run(.innerProduct(layer), [input])
    #expect(output.shape == expected)
    expectClose(
      output.floats(), Self.naive(input.floats(), matrix, inputs: 12, outputs: 5, bias: bias))
  }

  @Test func packedWeightsOfADenseLayer() throws {
    let table: [Float] = [-1, 0.5, 2, 3]
    let codes = (0..<24).map { UInt8($0 * 7 % 4) }
    let bytes = stride(from: 0, to: 24, by: 4).map { start in
      codes[start] << 6 | codes[start + 1] << 4 | codes[start + 2] << 2 | codes[start + 3]
    }
    let stored = WeightData(
      bytes: bytes, segments: [0..<6], encoding: .lookupTable(bits: 2, table: table))
    let layer = InnerProductLayer(inputChannels: 6, outputChannels: 4, weights: stored)
    let input = try tensor([2, 6])
    let output = try LayerRunner().run(.innerProduct(layer), [input])
    let matrix = codes.map { table[Int($0)] }
    expectClose(
      output.floats(),
      Self.naive(input.floats(), matrix, inputs: 6, outputs: 4, bias: [0, 0, 0, 0]))
  }

  @Test func signedCodesKeepTheirSign() throws {
    let codes: [Int8] = [-128, -1, 0, 1, 127, 64]
    let stored = WeightData(
      bytes: codes.map { UInt8(bitPattern: $0) }, segments: [0..<6],
      encoding: .signedLinear(scale: 0.5))
    let layer = InnerProductLayer(inputChannels: 6, outputChannels: 1, weights: stored)
    for (index, code) in codes.enumerated() {
      var one = [Float](repeating: 0, count: 6)
      one[index] = 1
      let output = try LayerRunner().run(.innerProduct(layer), [Tensor(shape: [6], floats: one)])
      #expect(output.floats() == [Float(code) * 0.5])
    }
  }

  @Test func wrongWidthIsRefused() throws {
    let layer = InnerProductLayer(
      inputChannels: 4, outputChannels: 1, weights: weights([1, 2, 3, 4]))
    let error = try LayerRunner().failure(.innerProduct(layer), [[3, 5]])
    #expect(error.message.contains("inputChannels is 4"))
  }

  @Test(arguments: [false, true], [false, true])
  func productOfTwoInputs(transposesFirst: Bool, transposesSecond: Bool) throws {
    let layer = BatchedMatrixProductLayer(
      transposesFirst: transposesFirst, transposesSecond: transposesSecond)
    let left = try tensor(transposesFirst ? [2, 4, 3] : [2, 3, 4], seed: 1)
    let right = try tensor(transposesSecond ? [1, 5, 4] : [1, 4, 5], seed: 2)
    let output = try LayerRunner().run(.batchedMatrixProduct(layer), [left, right])
    #expect(output.shape == [2, 3, 5])
    for batch in 0..<2 {
      for row in 0..<3 {
        for column in 0..<5 {
          var sum = 0.0
          for k in 0..<4 {
            let a = transposesFirst ? left[batch, k, row] : left[batch, row, k]
            sum += a * (transposesSecond ? right[0, column, k] : right[0, k, column])
          }
          #expect(abs(output[batch, row, column] - sum) < 1e-4)
        }
      }
    }
  }

  /// The format ignores both flags beside a stored matrix.
  @Test(arguments: [false, true], [false, true])
  func productWithAStoredMatrix(transposesFirst: Bool, transposesSecond: Bool) throws {
    let (matrix, bias) = (numbers(20, seed: 4), numbers(5, seed: 6))
    let layer = BatchedMatrixProductLayer(
      transposesFirst: transposesFirst, transposesSecond: transposesSecond, rows: 4, columns: 5,
      weights: weights(matrix), bias: weights(bias))
    let input = try tensor([2, 3, 4])
    let output = try LayerRunner().run(.batchedMatrixProduct(layer), [input])
    #expect(output.shape == [2, 3, 5])
    expectClose(
      output.floats(), Self.naive(input.floats(), matrix, inputs: 4, outputs: 5, bias: bias))
  }
}
