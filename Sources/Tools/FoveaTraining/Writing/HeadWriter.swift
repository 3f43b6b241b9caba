// Fovea - the decoding of heads as operations of ML Programs.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Writes how heads become scores and boxes.
struct HeadWriter {
  private let network: TrainableNetwork
  private let values: [OperationWriter.Value]

  /// Scores [N, C] and boxes [N, 4], whose names are those that suppression reads.
  static func write(
    _ network: TrainableNetwork, _ values: [OperationWriter.Value], _ writer: inout OperationWriter
  ) -> (confidence: OperationWriter.Value, coordinates: OperationWriter.Value) {
    let own = HeadWriter(network: network, values: values)
    var scores: [OperationWriter.Value] = []
    var boxes: [OperationWriter.Value] = []
    switch network.heads {
    case .anchors(let heads):
      for (index, head) in heads.enumerated() {
        own.write(head, "head\(index)", &writer, &scores, &boxes)
      }
    case .distances(let heads):
      for (index, head) in heads.enumerated() {
        own.write(head, "head\(index)", &writer, &scores, &boxes)
      }
    }
    let names = SuppressedDetector.outputNames
    return (
      writer.concat(scores, axis: 0, to: names[0]), writer.concat(boxes, axis: 0, to: names[1])
    )
  }

  // MARK: Anchors

  /// Row `(anchor * rows + row) * columns + column` of a head: x, y, width and height of the box.
  private func write(
    _ head: AnchorHead, _ name: String, _ writer: inout OperationWriter,
    _ scores: inout [OperationWriter.Value], _ boxes: inout [OperationWriter.Value]
  ) {
    let size = network.sizes[head.value]
    let (anchors, count) = (head.anchors.count, size.channels / head.anchors.count)
    let planes = writer.reshape(
      values[head.value], [anchors, count, size.height, size.width], to: name + "_anchors")
    var parts: [OperationWriter.Value] = []
    for (channel, word) in ["x", "y", "width", "height"].enumerated() {
      let logit = writer.slice(planes, axis: 1, channel..<channel + 1, to: "\(name)_\(word)")
      parts.append(
        channel < 2
          ? center(logit, head, size, isAcross: channel == 0, "\(name)_\(word)", &writer)
          : side(logit, head, isAcross: channel == 2, "\(name)_\(word)", &writer))
    }
    let joined = writer.concat(parts, axis: 1, to: name + "_boxes")
    boxes.append(rows(joined, name + "_coordinates", &writer))
    let object = writer.unary(
      "sigmoid", writer.slice(planes, axis: 1, 4..<5, to: name + "_object"),
      to: name + "_object_sigmoid")
    let labels = writer.unary(
      "sigmoid", writer.slice(planes, axis: 1, 5..<count, to: name + "_labels"),
      to: name + "_labels_sigmoid")
    let product = writer.binary("mul", labels, object.argument, to: name + "_scores")
    scores.append(rows(product, name + "_confidence", &writer))
  }

  private func center(
    _ logit: OperationWriter.Value, _ head: AnchorHead, _ size: TrainableNetwork.Size,
    isAcross: Bool, _ name: String, _ writer: inout OperationWriter
  ) -> OperationWriter.Value {
    let cells = isAcross ? size.width : size.height
    let shift = (Double(head.spread) - 1) / 2
    let offsets = (0..<cells).map { Float((Double($0) - shift) / Double(cells)) }
    let share = writer.unary("sigmoid", logit, to: name + "_sigmoid")
    let scaled = writer.binary(
      "mul", share, .float(Float(Double(head.spread) / Double(cells))), to: name + "_scaled")
    return writer.binary(
      "add", scaled, .floats(offsets, shape: isAcross ? [1, 1, 1, cells] : [1, 1, cells, 1]),
      to: name + "_placed")
  }

  private func side(
    _ logit: OperationWriter.Value, _ head: AnchorHead, isAcross: Bool, _ name: String,
    _ writer: inout OperationWriter
  ) -> OperationWriter.Value {
    let sides = head.anchors.map { isAcross ? $0.width : $0.height }
    let factor: OperationWriter.Value
    if head.isSquared {
      let share = writer.unary("sigmoid", logit, to: name + "_sigmoid")
      factor = writer.unary("square", share, to: name + "_factor")
    } else {
      factor = writer.unary("exp", logit, to: name + "_factor")
    }
    let scales = head.isSquared ? sides.map { 4 * $0 } : sides
    return writer.binary(
      "mul", factor, .floats(scales, shape: [sides.count, 1, 1, 1]), to: name + "_scaled")
  }

  /// Planes [anchors, channels, rows, columns] as rows.
  private func rows(
    _ planes: OperationWriter.Value, _ name: String, _ writer: inout OperationWriter
  ) -> OperationWriter.Value {
    let shape = planes.shape
    let turned = writer.transpose(planes, [0, 2, 3, 1], to: name + "_turned")
    return writer.reshape(turned, [shape[0] * shape[2] * shape[3], shape[1]], to: name)
  }

  // MARK: Distances

  private func write(
    _ head: DistanceHead, _ name: String, _ writer: inout OperationWriter,
    _ scores: inout [OperationWriter.Value], _ boxes: inout [OperationWriter.Value]
  ) {
    let size = network.sizes[head.boxes]
    let cells = size.height * size.width
    let logits = writer.reshape(values[head.boxes], [4, head.bins, cells], to: name + "_bins")
    let shares = writer.write(
      "softmax", ["x": logits.argument, "axis": .integer(1)], to: name + "_shares", logits.shape)
    let weighted = writer.binary(
      "mul", shares,
      .floats((0..<head.bins).map { Float($0) }, shape: [1, head.bins, 1]),
      to: name + "_weighted")
    let means = writer.write(
      "reduce_sum",
      ["x": weighted.argument, "axes": .integers([1]), "keep_dims": .boolean(false)],
      to: name + "_distances", [4, cells])
    boxes.append(corners(means, size, name, &writer))
    let labels = network.sizes[head.labels].channels
    let planes = writer.reshape(values[head.labels], [labels, cells], to: name + "_logits")
    let turned = writer.transpose(planes, [1, 0], to: name + "_labels")
    scores.append(writer.unary("sigmoid", turned, to: name + "_confidence"))
  }

  /// Distances [4, cells] from the middles of cells as boxes [cells, 4].
  private func corners(
    _ distances: OperationWriter.Value, _ size: TrainableNetwork.Size, _ name: String,
    _ writer: inout OperationWriter
  ) -> OperationWriter.Value {
    let cells = size.height * size.width
    var middles: [Float] = []
    for axis in 0..<2 {
      for cell in 0..<cells {
        middles.append(Float(axis == 0 ? cell % size.width : cell / size.width) + 0.5)
      }
    }
    let before = writer.slice(distances, axis: 0, 0..<2, to: name + "_before")
    let after = writer.slice(distances, axis: 0, 2..<4, to: name + "_after")
    let moved = writer.binary("sub", after, before.argument, to: name + "_moved")
    let half = writer.binary("mul", moved, .float(0.5), to: name + "_half")
    let centers = writer.binary(
      "add", half, .floats(middles, shape: [2, cells]), to: name + "_centers")
    let sides = writer.binary("add", after, before.argument, to: name + "_sides")
    let joined = writer.concat([centers, sides], axis: 0, to: name + "_cells")
    let (x, y) = (1 / Float(size.width), 1 / Float(size.height))
    let scaled = writer.binary(
      "mul", joined, .floats([x, y, x, y], shape: [4, 1]), to: name + "_scaled")
    return writer.transpose(scaled, [1, 0], to: name + "_coordinates")
  }
}
