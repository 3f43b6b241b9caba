// Fovea - first and second moments of what a layer reads.
// SPDX-License-Identifier: Apache-2.0

/// First and second moments of the patches that a layer multiplies by its weights.
///
/// A patch is what one output position sees, in the order of the weights [input channel, row, column]; it
/// has a moment matrix for each group of channels.
package struct ActivationStatistics: Sendable {
  /// Groups of channels that do not see each other.
  package let groups: Int
  /// The length of a patch.
  package let size: Int
  /// The number of patches seen.
  package private(set) var count = 0
  private var sums: [Double]
  private var products: [Double]

  /// Creates empty statistics.
  package init(groups: Int, size: Int) {
    self.groups = groups
    self.size = size
    sums = [Double](repeating: 0, count: groups * size)
    products = [Double](repeating: 0, count: groups * size * size)
  }

  /// Adds patches, one after another, each of all groups.
  package mutating func add(_ patches: [Float]) {
    let (size, groups) = (size, groups)
    let added = patches.count / (groups * size)
    patches.withUnsafeBufferPointer { patches in
      products.withUnsafeMutableBufferPointer { products in
        sums.withUnsafeMutableBufferPointer { sums in
          for index in 0..<added * groups {
            let group = index % groups
            let patch = UnsafeBufferPointer(rebasing: patches[index * size..<(index + 1) * size])
            for row in 0..<size where patch[row] != 0 {
              let value = Double(patch[row])
              sums[group * size + row] += value
              let start = (group * size + row) * size
              for column in row..<size { products[start + column] += value * Double(patch[column]) }
            }
          }
        }
      }
    }
    count += added
  }

  /// The mean of a group's patches.
  package func mean(_ group: Int) -> [Double] {
    sums[group * size..<(group + 1) * size].map { $0 / Double(max(count, 1)) }
  }

  /// The matrix of a group's second moments, E[x x^T], or of its covariances, E[x x^T] - E[x] E[x]^T.
  package func moments(_ group: Int, centered: Bool) -> [Double] {
    let mean = mean(group)
    var matrix = [Double](repeating: 0, count: size * size)
    for row in 0..<size {
      for column in row..<size {
        var value = products[(group * size + row) * size + column] / Double(max(count, 1))
        if centered { value -= mean[row] * mean[column] }
        matrix[row * size + column] = value
        matrix[column * size + row] = value
      }
    }
    return matrix
  }
}
