// Fovea - elements of an image in another order.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore

/// One step that moves elements of an array and computes nothing.
package enum ImageMovement: Sendable, Hashable {
  case reshape([Int])
  case transpose([Int])
  case slice(begin: [Int], count: [Int], stride: [Int])

  /// The movement that a node of a graph is.
  init?(_ node: fov_node_reading, rank: Int) {
    switch node.kind {
    case .reshape: self = .reshape(node.shape.sizes)
    case .transpose:
      self = withUnsafeBytes(of: node.axes) {
        .transpose(Array($0.bindMemory(to: Int.self).prefix(rank)))
      }
    case .slice:
      let begin = withUnsafeBytes(of: node.slice.begin) {
        Array($0.bindMemory(to: Int.self).prefix(rank))
      }
      let count = withUnsafeBytes(of: node.slice.count) {
        Array($0.bindMemory(to: Int.self).prefix(rank))
      }
      let stride = withUnsafeBytes(of: node.slice.stride) {
        $0.bindMemory(to: Int64.self).prefix(rank).map { Int($0) }
      }
      self = .slice(begin: begin, count: count, stride: stride)
    default: return nil
    }
  }
}

/// An array whose elements are those of an image in another order.
struct MovedImage {
  /// The value of the network that is the image.
  var value: Int
  var movements: [ImageMovement] = []
  var shape: [Int]
  /// For each element, its place in the image: rows, columns, channels. Made by the first movement.
  private var sources: [Int32] = []
  private let imageSize: TrainableNetwork.Size

  /// The image itself, as the graph has it: channels, rows, columns.
  init(_ value: Int, size: TrainableNetwork.Size) {
    self.value = value
    shape = [1, size.channels, size.height, size.width]
    imageSize = size
  }

  /// Moves the elements once more.
  mutating func move(_ movement: ImageMovement) {
    if movements.isEmpty { sources = Self.sources(of: imageSize) }
    movements.append(movement)
    switch movement {
    case .reshape(let shape): self.shape = shape
    case .transpose(let axes):
      let strides = Self.strides(shape)
      take(counts: axes.map { shape[$0] }, steps: axes.map { strides[$0] }, from: 0)
    case .slice(let begin, let count, let stride):
      let strides = Self.strides(shape)
      let first = zip(begin, strides).reduce(0) { $0 + $1.0 * $1.1 }
      take(counts: count, steps: zip(stride, strides).map { $0 * $1 }, from: first)
    }
  }

  /// An image of channels, rows and columns as places of one of rows, columns and channels.
  private static func sources(of size: TrainableNetwork.Size) -> [Int32] {
    let plane = size.height * size.width
    var sources: [Int32] = []
    sources.reserveCapacity(size.channels * plane)
    for channel in 0..<size.channels {
      for pixel in 0..<plane { sources.append(Int32(pixel * size.channels + channel)) }
    }
    return sources
  }

  private mutating func take(counts: [Int], steps: [Int], from first: Int) {
    var moved: [Int32] = []
    moved.reserveCapacity(counts.reduce(1, *))
    var places = [Int](repeating: 0, count: counts.count)
    var at = first
    while true {
      moved.append(sources[at])
      var axis = counts.count - 1
      while axis >= 0 {
        places[axis] += 1
        at += steps[axis]
        if places[axis] < counts[axis] { break }
        at -= counts[axis] * steps[axis]
        places[axis] = 0
        axis -= 1
      }
      if axis < 0 { break }
    }
    sources = moved
    shape = counts
  }

  private static func strides(_ shape: [Int]) -> [Int] {
    var strides = [Int](repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    return strides
  }

  /// The size of the array if it is an image again.
  var size: TrainableNetwork.Size? { TrainableNetwork.Size(planar: shape) }

  /// For each element in the order rows, columns, channels, its place in the image.
  func placesOfPixels(_ size: TrainableNetwork.Size) -> [Int32] {
    let plane = size.height * size.width
    return (0..<sources.count).map {
      sources[$0 % size.channels * plane + $0 / size.channels]
    }
  }
}

extension TrainableNetwork.Size {
  /// The size of an array [1 ..., channels, rows, columns]; `nil` for other arrays.
  init?(planar shape: [Int]) {
    guard shape.count >= 3, shape.dropLast(3).allSatisfy({ $0 == 1 }) else { return nil }
    let last = Array(shape.suffix(3))
    self.init(height: last[1], width: last[2], channels: last[0])
  }
}
