// Fovea - what a model will run, operation by operation.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
public import FoveaRuntime

extension Model {
  /// An operation of the model, after folding and fusing.
  public struct Node: Sendable, Hashable, Codable {
    /// The operation, such as "convolution".
    public var operation: String
    /// The name of the layer from which it was made.
    public var label: String
    /// The activation that is fused into it; empty for none.
    public var activation: String
    /// The shape of its result.
    public var outputShape: [Int]
    /// Multiplications followed by an addition.
    public var multiplyAccumulates: UInt64
    /// Whether it is a depthwise convolution.
    public var isDepthwise: Bool
    /// The encoding of its weights, such as "8-bit lookup table"; empty without weights.
    public var weightEncoding: String
    /// The bytes of its weights in memory.
    public var weightBytes: Int
    /// The bytes of its workspace in the arena.
    package var workspaceBytes: Int
    /// The offset of its workspace in the arena, if it has one.
    package var workspaceOffset: Int
    /// The offset of its result in the arena.
    package var arenaOffset: Int
    /// The bytes of its result, with borders; 0 if the result lies inside another.
    package var outputBytes: Int
    /// The type of the elements of its result.
    public var outputType: DataType
    /// Whether its result has the channels last.
    package var isChannelsLast: Bool
    /// The index of the last operation that reads its result. It is the number of operations if the
    /// caller reads it.
    package var lastReader: Int
    /// The number of the value that it writes. It is the same in every model of one file with the
    /// same stages and sizes, whatever is fused. `nil` for conversions, and in compiled files.
    package var value: Int?
    /// The indices of the operations whose results it reads, without inputs of the model and
    /// constants.
    package var writers: [Int]
  }

  /// The operations in the order in which they run.
  ///
  /// - Complexity: O(operations).
  public var nodes: [Node] {
    (0..<fov_model_node_count(corePointer)).compactMap { index in
      withUnsafeTemporaryAllocation(of: fov_node_information.self, capacity: 1) { buffer in
        guard let node = buffer.baseAddress,
          fov_model_node(corePointer, index, node) == .ok
        else { return nil }
        return Node(node.pointee, writers: writers(of: index, count: node.pointee.input_count))
      }
    }
  }
}

extension Model {
  fileprivate func writers(of node: Int, count: Int) -> [Int] {
    (0..<count).compactMap { input in
      var writer = 0
      guard fov_model_node_writer(corePointer, node, input, &writer) == .ok else { return nil }
      return writer == noValue ? nil : writer
    }
  }
}

/// The core's FOV_NO_VALUE.
private let noValue = Int(bitPattern: UInt.max)

extension Model.Node {
  /// Whether it is a convolution that `int8` may compute in integers, of either direction.
  package var isConvolution: Bool {
    operation == "convolution" || operation == "transposed convolution" && isChannelsLast
  }

  fileprivate init(_ node: fov_node_information, writers: [Int]) {
    operation = String(cString: node.operation)
    label = String(cString: node.label)
    activation = String(cString: node.activation)
    outputShape = node.output.sizes
    multiplyAccumulates = node.multiply_accumulates
    isDepthwise = node.is_depthwise
    weightEncoding = Self.encodingName(node)
    weightBytes = Int(clamping: node.weight_bytes)
    workspaceBytes = Int(clamping: node.workspace_bytes)
    workspaceOffset = Int(clamping: node.workspace_offset)
    arenaOffset = Int(clamping: node.arena_offset)
    outputBytes = Int(clamping: node.output_bytes)
    outputType = DataType(node.output_type)
    isChannelsLast = node.channels_last
    lastReader = Int(clamping: node.last_reader)
    value = node.value == noValue ? nil : node.value
    self.writers = writers
  }

  private static func encodingName(_ node: fov_node_information) -> String {
    guard node.weight_bits > 0 else { return "" }
    switch node.weight_encoding {
    case .float32: return "float32"
    case .float16: return "float16"
    case .lookup_table: return "\(node.weight_bits)-bit lookup table"
    case .linear: return "\(node.weight_bits)-bit linear"
    }
  }
}
