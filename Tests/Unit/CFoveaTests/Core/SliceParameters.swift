// Fovea - the parameters of a slice from lists.
// SPDX-License-Identifier: Apache-2.0
import CFovea

extension fov_slice {
  /// A slice with one number of each list for each dimension.
  init(begin: [Int], count: [Int], stride: [Int64]) {
    self.init()
    withUnsafeMutableBytes(of: &self.begin) { Self.fill($0, begin) }
    withUnsafeMutableBytes(of: &self.count) { Self.fill($0, count) }
    withUnsafeMutableBytes(of: &self.stride) { Self.fill($0, stride) }
  }

  private static func fill<Number>(_ bytes: UnsafeMutableRawBufferPointer, _ values: [Number]) {
    let places = bytes.bindMemory(to: Number.self)
    for (place, value) in values.enumerated() { places[place] = value }
  }
}
