// Fovea - from the graph of any model to a network that can be trained.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import CFoveaTrain
internal import FoveaCore
internal import FoveaLowering

/// Reads the graph of a detector, up to its heads.
struct NetworkReader {
  /// What a network is read for.
  enum Purpose {
    case training
    /// To be written anew; weights remember how they were stored.
    case writing
    /// The heads alone, behind operations that stay.
    case heads
  }

  private let graph: GraphReading
  private let purpose: Purpose
  private var picture: TrainableNetwork.Picture?
  private var nodes: [TrainableNetwork.Node] = []
  private var sizes: [TrainableNetwork.Size] = []
  /// What values of the graph are in the network.
  private var values: [UInt32: MovedImage] = [:]

  private init(_ graph: GraphReading, _ purpose: Purpose) {
    (self.graph, self.purpose) = (graph, purpose)
  }

  /// The network of a lowered model.
  ///
  /// - Throws: `.unsuitableStart`, naming the operation that cannot be trained.
  static func network(
    of model: LoweredModel, for purpose: Purpose = .training
  ) throws(TrainingError) -> TrainableNetwork {
    let graph: GraphReading
    do throws(FoveaError) { graph = try GraphReading(model.graph) } catch {
      throw TrainingError(.unsuitableStart, error.message)
    }
    let heads = try GraphHeads.find(in: graph, labelCount: model.classLabels?.count)
    var reader = NetworkReader(graph, purpose)
    do {
      return try reader.read(heads, labels: model.classLabels ?? [])
    } catch let error as TrainingError {
      throw error
    } catch {
      throw TrainingError(.unsuitableStart, "\(error)")
    }
  }

  private mutating func read(_ heads: GraphHeads, labels: [String]) throws -> TrainableNetwork {
    let needed = try purpose == .heads ? writers(of: heads.values) : ancestors(of: heads.values)
    for index in 0..<graph.nodeCount where needed.contains(index) { try read(index) }
    guard let picture else {
      throw TrainingError(.unsuitableStart, "the model reads no picture")
    }
    let decoded = try networkHeads(heads)
    let count = try labelCount(decoded)
    return TrainableNetwork(
      picture: picture, nodes: nodes, sizes: sizes, heads: decoded,
      labels: labels.count == count ? labels : (0..<count).map { "class \($0)" })
  }

  /// The nodes that values depend on.
  private func ancestors(of values: [UInt32]) throws(FoveaError) -> Set<Int> {
    var needed: Set<Int> = []
    var wanted = Set(values)
    for index in (0..<graph.nodeCount).reversed() {
      let node = try graph.node(index)
      guard wanted.contains(node.output) else { continue }
      needed.insert(index)
      wanted.formUnion(node.inputValues)
    }
    return needed
  }

  /// The picture, and the nodes that give values.
  private func writers(of values: [UInt32]) throws(FoveaError) -> Set<Int> {
    var needed: Set<Int> = []
    for index in 0..<graph.nodeCount {
      let node = try graph.node(index)
      if node.kind == .pixels || values.contains(node.output) { needed.insert(index) }
    }
    return needed
  }

  // MARK: Nodes

  private mutating func read(_ index: Int) throws {
    let node = try graph.node(index)
    let shape = try graph.value(node.output).shape
    switch node.kind {
    case .pixels: try readPicture(node, shape)
    case .reshape, .transpose, .slice:
      let input = node.inputs[0]
      let rank = try graph.value(input).shape.count
      guard var moved = values[input], let movement = ImageMovement(node, rank: rank) else {
        throw refusal(node)
      }
      moved.shape = try graph.value(input).shape
      moved.move(movement)
      values[node.output] = moved
    default:
      let operation = try operation(node, index)
      let inputs = try node.inputValues.map { try image($0, node) }
      guard let size = TrainableNetwork.Size(planar: shape) else { throw refusal(node) }
      add(operation, inputs, size, label: String(cString: node.label), as: node.output)
    }
  }

  private mutating func readPicture(_ node: fov_node_reading, _ shape: [Int]) throws {
    guard picture == nil, let size = TrainableNetwork.Size(planar: shape) else {
      throw TrainingError(.unsuitableStart, "the model reads several pictures")
    }
    let bias = withUnsafeBytes(of: node.pixels.bias) {
      Array($0.bindMemory(to: Float.self).prefix(size.channels))
    }
    picture = .init(
      width: size.width, height: size.height, channels: size.channels, scale: node.pixels.scale,
      bias: bias, isReversed: node.pixels.reverse_channels)
    sizes.append(size)
    values[node.output] = MovedImage(0, size: size)
  }

  private mutating func add(
    _ operation: TrainableNetwork.Operation, _ inputs: [Int], _ size: TrainableNetwork.Size,
    label: String, as value: UInt32?
  ) {
    nodes.append(.init(operation: operation, inputs: inputs, label: label))
    sizes.append(size)
    if let value { values[value] = MovedImage(nodes.count, size: size) }
  }

  /// The value of the network that an operation reads as an image.
  private mutating func image(_ value: UInt32, _ reader: fov_node_reading) throws -> Int {
    if purpose == .heads, values[value] == nil,
      let size = TrainableNetwork.Size(planar: try graph.value(value).shape)
    {
      add(.given, [], size, label: String(cString: reader.label), as: value)
    }
    guard let moved = values[value] else { throw refusal(reader) }
    guard !moved.movements.isEmpty else { return moved.value }
    guard let size = moved.size else { throw refusal(reader) }
    add(
      .arrangement(moved.movements), [moved.value], size, label: String(cString: reader.label),
      as: value)
    return nodes.count
  }

  private func refusal(_ node: fov_node_reading) -> TrainingError {
    let name = String(cString: node.label)
    let what =
      "\(name.isEmpty ? "an operation" : "\"\(name)\"") (\(String(cString: node.operation)))"
    return TrainingError(
      .unsuitableStart,
      purpose == .training
        ? "\(what) cannot be trained; start from a detector without it"
        : "\(what) cannot be written anew")
  }

  // MARK: Operations

  private func operation(
    _ node: fov_node_reading, _ index: Int
  ) throws -> TrainableNetwork.Operation {
    switch node.kind {
    case .convolution: return .convolution(try convolution(node, index))
    case .unary where fov_tape_has_unary(node.unary.function): return .function(node.unary)
    case .binary where [.add, .subtract, .multiply].contains(node.binary):
      return .binary(node.binary)
    case .pooling where node.pooling.function != .l2: return .pooling(node.pooling)
    case .resize: return .resize(node.resize)
    case .concat where try isChannelConcat(node): return .concat
    case .channel_affine:
      let channels = TrainableNetwork.Size(planar: try graph.value(node.output).shape)?.channels
      guard let scale = node.scale, let bias = node.bias, let channels else { throw refusal(node) }
      return .affine(
        scale: Array(UnsafeBufferPointer(start: scale, count: channels)),
        bias: Array(UnsafeBufferPointer(start: bias, count: channels)))
    default: throw refusal(node)
    }
  }

  private func isChannelConcat(_ node: fov_node_reading) throws -> Bool {
    node.axis == (try graph.value(node.output).shape.count) - 3
  }

  private func convolution(
    _ node: fov_node_reading, _ index: Int
  ) throws -> TrainableNetwork.Convolution {
    let geometry = node.convolution
    guard !node.has_activation || fov_tape_has_unary(node.unary.function) else {
      throw refusal(node)
    }
    let count =
      geometry.output_channels * (node.input_channels / geometry.groups) * geometry.kernel.0
      * geometry.kernel.1
    var convolution = TrainableNetwork.Convolution(
      geometry: geometry, inputs: node.input_channels,
      weights: try graph.weights(index, count: count),
      bias: Array(UnsafeBufferPointer(start: node.bias, count: geometry.output_channels)),
      activation: node.has_activation ? node.unary : nil)
    if purpose != .training {
      let (form, bytes) = try graph.codes(index, count: count)
      convolution.stored = FileWeights(form, bytes)
    }
    return convolution
  }

  // MARK: Heads

  private mutating func networkHeads(_ heads: GraphHeads) throws -> NetworkHeads {
    switch heads {
    case .anchors(let values, let decoding):
      return .anchors(try anchorHeads(values, try graph.node(decoding)))
    case .distances(let pairs):
      return .distances(
        try pairs.map { pair in
          let (boxes, labels) = (try headValue(pair.boxes), try headValue(pair.labels))
          return DistanceHead(boxes: boxes, labels: labels, bins: sizes[boxes].channels / 4)
        })
    }
  }

  /// The value of a head; a function behind its convolution belongs to the decoding.
  private mutating func headValue(_ value: UInt32) throws -> Int {
    guard let moved = values[value], moved.movements.isEmpty, moved.value > 0 else {
      throw TrainingError(.unsuitableStart, "a head is no convolution")
    }
    if case .convolution(var own) = nodes[moved.value - 1].operation {
      own.activation = nil
      nodes[moved.value - 1].operation = .convolution(own)
    }
    return moved.value
  }

  private mutating func anchorHeads(
    _ heads: [UInt32], _ node: fov_node_reading
  ) throws -> [AnchorHead] {
    guard let terms = node.terms, let scales = node.center_scales else { throw refusal(node) }
    var row = 0
    var found: [AnchorHead] = []
    for (index, head) in heads.enumerated() {
      let value = try headValue(head)
      let size = sizes[value]
      let count = size.channels / (5 + node.labels)
      let pixels = size.height * size.width
      let spread = scales[2 * index] * Float(size.width)
      // Boxes may count pixels.
      let unit = spread > 4 ? Float(picture?.width ?? 1) : 1
      let anchors = (0..<count).map { anchor in
        let place = row + (node.pixels_outermost ? anchor : anchor * pixels)
        let factor: Float = node.has_squared_sizes ? 0.25 : 1
        return AnchorHead.Side(
          width: terms[4 * place + 2] * factor / unit,
          height: terms[4 * place + 3] * factor
            / (spread > 4 ? Float(picture?.height ?? 1) : 1))
      }
      found.append(
        AnchorHead(
          value: value, anchors: anchors, isSquared: node.has_squared_sizes,
          spread: spread / unit))
      row += count * pixels
    }
    return found
  }

  private func labelCount(_ heads: NetworkHeads) throws -> Int {
    switch heads {
    case .anchors(let heads):
      guard let head = heads.first else { break }
      return sizes[head.value].channels / head.anchors.count - 5
    case .distances(let heads):
      guard let head = heads.first else { break }
      return sizes[head.labels].channels
    }
    throw TrainingError(.unsuitableStart, "the model has no head")
  }
}
