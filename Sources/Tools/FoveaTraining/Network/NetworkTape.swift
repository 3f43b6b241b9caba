// Fovea - the tape of a network.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import CFoveaTrain
internal import FoveaCore

/// A tape of a network, which can be run forward and backward.
package final class NetworkTape {
  /// Valid while this object lives.
  package let pointer: OpaquePointer
  private var values: [fov_tape_value] = []

  /// Builds the tape.
  ///
  /// - Throws: `.unsuitableStart` with the layer that it refuses, `.outOfMemory`.
  package init(_ network: TrainableNetwork) throws(TrainingError) {
    var tape: OpaquePointer?
    guard fov_tape_create(&tape) == .ok, let tape else {
      throw TrainingError(.outOfMemory, "no memory for a network")
    }
    pointer = tape
    try addPicture(network.picture)
    for node in network.nodes { try add(node, network) }
    for value in network.heads.values {
      try check("a head") { fov_tape_add_output(tape, values[value], $0) }
    }
    try check("the network") { fov_tape_finish(tape, $0) }
    var convolution = 0
    for case .convolution(let own) in network.nodes.map(\.operation) {
      fov_tape_set_rate(tape, convolution, own.rate)
      convolution += 1
    }
  }

  deinit { fov_tape_destroy(pointer) }

  private func check(
    _ label: String, _ call: (UnsafeMutablePointer<fov_diagnostic>) -> fov_status
  ) throws(TrainingError) {
    var diagnostic = fov_diagnostic()
    let status = call(&diagnostic)
    if status == .ok { return }
    guard status != .out_of_memory else {
      throw TrainingError(.outOfMemory, "no memory for \(label)")
    }
    let name = String(cString: fov_status_name(status))
    throw TrainingError(
      .unsuitableStart, "\(label) cannot be trained: \(name), \(diagnostic.text)")
  }

  private func addPicture(_ picture: TrainableNetwork.Picture) throws(TrainingError) {
    var pixels = fov_pixels()
    pixels.scale = picture.scale
    pixels.reverse_channels = picture.isReversed
    withUnsafeMutableBytes(of: &pixels.bias) { bytes in
      for (index, bias) in picture.bias.enumerated() {
        bytes.storeBytes(of: bias, toByteOffset: 4 * index, as: Float.self)
      }
    }
    var value = fov_tape_value()
    try check("the picture") {
      fov_tape_add_picture(
        pointer, picture.height, picture.width, picture.channels, &pixels, &value, $0)
    }
    values.append(value)
  }

  private func add(
    _ node: TrainableNetwork.Node, _ network: TrainableNetwork
  ) throws(TrainingError) {
    let inputs = node.inputs.map { values[$0] }
    var value = fov_tape_value()
    try check(node.label.isEmpty ? "an operation" : "\"\(node.label)\"") { diagnostic in
      switch node.operation {
      case .convolution(let own): return add(own, inputs[0], &value, diagnostic)
      case .function(var function):
        return fov_tape_add_unary(pointer, &function, inputs[0], &value, diagnostic)
      case .binary(let function):
        return addBinary(function, node.inputs, network, &value, diagnostic)
      case .affine(let scale, let bias):
        return fov_tape_add_affine(pointer, scale, bias, inputs[0], &value, diagnostic)
      case .pooling(var pooling):
        return fov_tape_add_pooling(pointer, &pooling, inputs[0], &value, diagnostic)
      case .resize(var resize):
        return fov_tape_add_resize(pointer, &resize, inputs[0], &value, diagnostic)
      case .given: return .unsupported
      case .concat: return fov_tape_add_concat(pointer, inputs, inputs.count, &value, diagnostic)
      case .arrangement(let movements):
        var moved = MovedImage(node.inputs[0], size: network.sizes[node.inputs[0]])
        for movement in movements { moved.move(movement) }
        let size = network.sizes[values.count]
        var shape = fov_tape_size(
          rows: size.height, columns: size.width, channels: size.channels, stride: 0)
        return fov_tape_add_arrangement(
          pointer, &shape, moved.placesOfPixels(size), inputs[0], &value, diagnostic)
      }
    }
    values.append(value)
  }

  private func add(
    _ convolution: TrainableNetwork.Convolution, _ input: fov_tape_value,
    _ value: inout fov_tape_value, _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
  ) -> fov_status {
    var geometry = convolution.geometry
    guard var activation = convolution.activation else {
      return fov_tape_add_convolution(
        pointer, &geometry, convolution.weights, convolution.bias, nil, input, &value, diagnostic)
    }
    return fov_tape_add_convolution(
      pointer, &geometry, convolution.weights, convolution.bias, &activation, input, &value,
      diagnostic)
  }

  /// A pixel that all others meet may stand on either side of a sum or a product.
  private func addBinary(
    _ function: fov_binary_function, _ inputs: [Int], _ network: TrainableNetwork,
    _ value: inout fov_tape_value, _ diagnostic: UnsafeMutablePointer<fov_diagnostic>
  ) -> fov_status {
    let (left, right) = (network.sizes[inputs[0]], network.sizes[inputs[1]])
    let isTurned =
      function != .subtract && left.height * left.width < right.height * right.width
    return fov_tape_add_binary(
      pointer, function, values[inputs[isTurned ? 1 : 0]], values[inputs[isTurned ? 0 : 1]],
      &value, diagnostic)
  }

  /// The network with weights among parameters.
  package func network(
    _ network: TrainableNetwork, with parameters: UnsafePointer<Float>
  ) -> TrainableNetwork {
    var result = network
    for (convolution, place) in network.convolutions.enumerated() {
      guard case .convolution(var own) = network.nodes[place].operation else { continue }
      fov_tape_read_weights(pointer, parameters, convolution, &own.weights, &own.bias)
      own.stored = nil
      result.nodes[place].operation = .convolution(own)
    }
    return result
  }
}
