// Fovea - where the heads of a detector's graph are.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore

/// The values of a graph that its heads decode, and how.
enum GraphHeads {
  /// The nodes that decode heads with anchors read these values.
  case anchors([UInt32], decoding: Int)
  /// Pairs of distances and labels, the finest grid first.
  case distances([(boxes: UInt32, labels: UInt32)])

  /// The values that are read.
  var values: [UInt32] {
    switch self {
    case .anchors(let values, _): values
    case .distances(let pairs): pairs.flatMap { [$0.boxes, $0.labels] }
    }
  }

  /// Finds the heads.
  ///
  /// - Parameter labelCount: The number of classes, where the model names them.
  /// - Throws: `.unsuitableStart` where there are none of a kind that can be trained.
  static func find(
    in graph: GraphReading, labelCount: Int?
  ) throws(TrainingError) -> GraphHeads {
    do {
      for index in 0..<graph.nodeCount {
        let node = try graph.node(index)
        guard node.kind == .detection_coordinates else { continue }
        return .anchors(node.inputValues, decoding: index)
      }
      if let pairs = try distances(in: graph, labelCount) { return .distances(pairs) }
    } catch {
      throw TrainingError(.unsuitableStart, "\(error)")
    }
    throw TrainingError(
      .unsuitableStart,
      "the head of the model is of another kind than boxes beside anchors, as YOLOv2 to YOLOv7"
        + " have, or distances, as YOLOv8 to YOLO11 have")
  }

  // MARK: Distances

  /// The last convolutions in front of the outputs: on each grid one gives distributions of four
  /// distances and one gives labels.
  private static func distances(
    in graph: GraphReading, _ labelCount: Int?
  ) throws(FoveaError) -> [(boxes: UInt32, labels: UInt32)]? {
    var grids: [Grid: [UInt32]] = [:]
    for index in try lastConvolutions(graph) {
      let value = try graph.node(index).output
      guard let size = TrainableNetwork.Size(planar: try graph.value(value).shape) else {
        return nil
      }
      grids[Grid(height: size.height, width: size.width), default: []].append(value)
    }
    guard !grids.isEmpty, grids.values.allSatisfy({ $0.count == 2 }) else { return nil }
    let ordered = grids.sorted { $0.key.height * $0.key.width > $1.key.height * $1.key.width }
    for isTurned in [false, true] {
      let pairs = ordered.map {
        (boxes: $0.value[isTurned ? 1 : 0], labels: $0.value[isTurned ? 0 : 1])
      }
      var boxes: Set<Int> = [], labels: Set<Int> = []
      for pair in pairs {
        boxes.insert(try graph.channels(pair.boxes))
        labels.insert(try graph.channels(pair.labels))
      }
      guard boxes.count == 1, labels.count == 1, let channels = boxes.first,
        labelCount == nil || labels.first == labelCount
      else { continue }
      if channels % 4 == 0, channels >= 8 { return pairs }
    }
    return nil
  }

  private struct Grid: Hashable {
    var height: Int
    var width: Int
  }

  /// The convolutions behind which only other operations lie, in the order in which they run. One
  /// that takes the mean of a distribution is such an operation.
  private static func lastConvolutions(_ graph: GraphReading) throws(FoveaError) -> [Int] {
    var writers: [UInt32: Int] = [:]
    for index in 0..<graph.nodeCount { writers[try graph.node(index).output] = index }
    var waiting = try Array(graph.outputs().values)
    var seen: Set<UInt32> = []
    var found: Set<Int> = []
    while let value = waiting.popLast() {
      guard seen.insert(value).inserted, let index = writers[value] else { continue }
      let node = try graph.node(index)
      if node.kind == .convolution {
        if try !isMean(node, index, graph) {
          found.insert(index)
          continue
        }
      }
      waiting += node.inputValues
    }
    return found.sorted()
  }

  /// Whether a convolution multiplies bins by 0, 1, 2 ...
  private static func isMean(
    _ node: fov_node_reading, _ index: Int, _ graph: GraphReading
  ) throws(FoveaError) -> Bool {
    let bins = node.input_channels
    guard node.convolution.output_channels == 1, bins >= 2, bins <= 64,
      node.convolution.kernel == (1, 1)
    else { return false }
    return try graph.weights(index, count: bins) == (0..<bins).map { Float($0) }
  }
}

extension fov_node_reading {
  /// The values that the node reads.
  var inputValues: [UInt32] { Array(UnsafeBufferPointer(start: inputs, count: input_count)) }
}

extension GraphReading {
  /// The channels of an image.
  fileprivate func channels(_ value: UInt32) throws(FoveaError) -> Int {
    TrainableNetwork.Size(planar: try self.value(value).shape)?.channels ?? 0
  }
}
