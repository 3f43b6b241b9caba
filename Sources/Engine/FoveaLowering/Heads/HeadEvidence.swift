// Fovea - what tells how the outputs of a detector are to be read.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// What is known of a model whose head is looked for.
struct HeadEvidence {
  /// An output of the network.
  struct Output {
    var name: String
    var value: HeadValue

    /// The shape without leading dimensions of 1, as far as two dimensions stay.
    var matrix: (rows: Int, columns: Int)? {
      let shape = value.shape
      guard shape.count >= 2, shape.dropLast(2).allSatisfy({ $0 == 1 }) else { return nil }
      return (shape[shape.count - 2], shape[shape.count - 1])
    }
  }

  /// The outputs in the order of the description.
  let outputs: [Output]
  /// The size of the image that the network reads.
  let width: Int
  let height: Int
  /// The names of the classes, if the file has any.
  let classNames: [String]?
  /// The author's keys and values.
  let metadata: [String: String]
  /// The kinds of the operations of a program; `nil` for a network of layers.
  let kinds: Set<String>?

  /// The number of classes, if it is known.
  var classCount: Int? { classNames.map(\.count) }

  /// What Ultralytics' exporter says the network is for, such as "detect".
  var task: String? { metadata["task"] }

  /// The number of key points of a pose, times the numbers of each.
  var keyPointNumbers: Int? {
    guard let text = metadata["kpt_shape"] else { return nil }
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count == 2 && numbers.allSatisfy({ $0 < 1000 }) ? numbers[0] * numbers[1] : nil
  }

  /// The number of cells of grids of some strides, each rounded up as convolutions do.
  func cells(_ strides: [Int]) -> Int {
    strides.reduce(0) { sum, stride in
      sum + ((width + stride - 1) / stride) * ((height + stride - 1) / stride)
    }
  }

  /// The cells of such grids, one grid after another, row by row.
  func gridCells(_ strides: [Int]) -> [(x: Int, y: Int, stride: Int)] {
    strides.flatMap { stride in
      (0..<(height + stride - 1) / stride).flatMap { y in
        (0..<(width + stride - 1) / stride).map { x in (x, y, stride) }
      }
    }
  }

  /// The strides of grids that detectors have.
  static let usualStrides = [[8, 16, 32], [8, 16, 32, 64], [4, 8, 16, 32], [16, 32], [8, 16]]

  /// The strides whose cells, times the boxes of a cell, are as many as there are boxes.
  func strides(ofBoxes count: Int, inCell boxes: Int) -> [Int]? {
    Self.usualStrides.first { cells($0) * boxes == count }
  }

  /// The grids in words.
  func text(of strides: [Int]) -> String {
    "grids of \(strides.map { String($0) }.joined(separator: ", ")) pixels in \(width)x\(height)"
  }
}
