// Fovea - the small detector as a set to learn from, and with another head.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import FoveaTraining

extension SmallDetector {
  /// Pictures with one bright square each, written to the folder.
  func set(count: Int = 12) throws -> TrainingSet {
    let side = Double(Self.side)
    return TrainingSet(
      labels: Self.labels,
      pictures: try pictures(count: count).map { picture in
        TrainingPicture(
          path: picture.path,
          objects: [
            .init(
              label: picture.label, x: Double(picture.x) / side, y: Double(picture.y) / side,
              width: Double(picture.width) / side, height: Double(picture.height) / side)
          ])
      })
  }

  /// The network with a head of distances in 6 bins in the place of its own.
  func networkOfDistances() throws -> TrainableNetwork {
    var network = try TrainingStart.network(contentsOf: path, side: nil, isForced: false)
    guard case .anchors(let heads) = network.heads,
      case .convolution(let head) = network.nodes[heads[0].value - 1].operation
    else {
      throw TrainingError(.unsuitableStart, "no head with anchors")
    }
    let input = network.nodes[heads[0].value - 1].inputs
    network.nodes.removeLast()
    network.sizes.removeLast()
    for outputs in [4 * 6, 2] {
      var geometry = head.geometry
      geometry.output_channels = outputs
      let length = head.weights.count / head.bias.count
      network.nodes.append(
        .init(
          operation: .convolution(
            .init(
              geometry: geometry, inputs: head.inputs,
              weights: (0..<outputs * length).map { head.weights[$0 % head.weights.count] },
              bias: (0..<outputs).map { Float($0 % 3) * 0.1 }, activation: nil)),
          inputs: input, label: "head"))
      network.sizes.append(.init(height: 16, width: 16, channels: outputs))
    }
    network.heads = .distances([
      DistanceHead(boxes: network.nodes.count - 1, labels: network.nodes.count, bins: 6)
    ])
    return network
  }
}
