// Fovea - the triangular factor of an inverse.
// SPDX-License-Identifier: Apache-2.0
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite struct InverseFactorTests {
  /// A A^T + identity, which is positive definite.
  private func matrix(_ size: Int) -> [Double] {
    var random = SplitMix(seed: UInt64(size))
    let values = (0..<size * size).map { _ in Double.random(in: -1...1, using: &random) }
    return (0..<size * size).map { index in
      let (row, column) = (index / size, index % size)
      return (0..<size).reduce(row == column ? 1 : 0) {
        $0 + values[row * size + $1] * values[column * size + $1]
      }
    }
  }

  /// U M U^T is the identity when M^-1 = U^T U.
  @Test(arguments: [1, 2, 3, 9, 40]) func theFactorOfTheInverseUndoesTheMatrix(size: Int) throws {
    let matrix = matrix(size)
    let factor = try #require(InverseFactor.upper(matrix, size: size))
    for row in 0..<size {
      for column in 0..<size {
        if column < row { #expect(factor[row * size + column] == 0) }
        var sum = 0.0
        for inner in 0..<size {
          for outer in 0..<size {
            sum +=
              factor[row * size + inner] * matrix[inner * size + outer]
              * factor[column * size + outer]
          }
        }
        #expect(abs(sum - (row == column ? 1 : 0)) < 1e-10)
      }
    }
  }

  @Test func loopsAndLibraryAgree() throws {
    let size = 30
    let matrix = matrix(size)
    var reversed = [Double](matrix.reversed())
    #expect(InverseFactor.factorAndInvertByLoops(&reversed, size))
    let factor = try #require(InverseFactor.upper(matrix, size: size))
    for row in 0..<size {
      for column in row..<size {
        let loops = reversed[(size - 1 - row) * size + size - 1 - column]
        #expect(abs(loops - factor[row * size + column]) < 1e-12)
      }
    }
  }

  @Test func indefiniteMatricesAreRefused() {
    #expect(InverseFactor.upper([1, 2, 2, 1], size: 2) == nil)
    #expect(InverseFactor.upper([0], size: 1) == nil)
  }
}
