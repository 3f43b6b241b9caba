// Fovea - tests: ONNX files, written from the numbers of their fields.
// SPDX-License-Identifier: Apache-2.0

/// Writes a `ModelProto`.
public struct ONNXWriter {
  /// The number of the operation set; none is written for 0.
  public var operationSet: Int
  /// Fields of the graph.
  public var graph = ProtobufWriter()
  /// Fields of the model behind the graph.
  public var rest = ProtobufWriter()

  /// Begins a model.
  public init(operationSet: Int = 18) {
    self.operationSet = operationSet
  }

  /// An attribute of a node.
  public enum Attribute {
    case int(Int)
    case ints([Int])
    case float(Float)
    case floats([Float])
    case string(String)
    case tensor([UInt8])
    case graph([UInt8])
    /// That of the function around the node.
    case reference(String, type: Int)
  }

  // MARK: Messages

  /// A `TensorProto`; the elements are fields that the caller writes.
  public static func tensor(
    _ name: String, type: Int, _ shape: [Int], _ fill: (inout ProtobufWriter) -> Void
  ) -> [UInt8] {
    ProtobufWriter { tensor in
      tensor.integers(1, shape)
      tensor.integer(2, type)
      tensor.string(8, name)
      fill(&tensor)
    }.bytes
  }

  /// A tensor of floats.
  public static func tensor(floats: [Float], _ shape: [Int], name: String = "") -> [UInt8] {
    tensor(name, type: 1, shape) { $0.floats(4, floats) }
  }

  /// A tensor of 64-bit integers.
  public static func tensor(integers: [Int], _ shape: [Int], name: String = "") -> [UInt8] {
    tensor(name, type: 7, shape) { $0.integers(7, integers) }
  }

  /// A tensor in a file beside the model.
  public static func external(
    _ name: String, type: Int, _ shape: [Int], _ entries: KeyValuePairs<String, String>
  ) -> [UInt8] {
    tensor(name, type: type, shape) { tensor in
      for (key, value) in entries {
        tensor.message(13) { entry in
          entry.string(1, key)
          entry.string(2, value)
        }
      }
      tensor.integer(14, 1)
    }
  }

  /// A `NodeProto`.
  public static func node(
    _ kind: String, _ inputs: [String], _ outputs: [String],
    _ attributes: KeyValuePairs<String, Attribute> = [:], name: String = "", domain: String = ""
  ) -> [UInt8] {
    ProtobufWriter { node in
      for input in inputs { node.string(1, input) }
      for output in outputs { node.string(2, output) }
      if !name.isEmpty { node.string(3, name) }
      node.string(4, kind)
      for (name, value) in attributes { node.message(5) { write(value, name, to: &$0) } }
      if !domain.isEmpty { node.string(7, domain) }
    }.bytes
  }

  private static func write(
    _ value: Attribute, _ name: String, to attribute: inout ProtobufWriter
  ) {
    attribute.string(1, name)
    switch value {
    case .float(let number):
      attribute.float(2, number)
      attribute.integer(20, 1)
    case .int(let number):
      attribute.integer(3, number)
      attribute.integer(20, 2)
    case .string(let text):
      attribute.string(4, text)
      attribute.integer(20, 3)
    case .tensor(let tensor):
      attribute.data(5, tensor)
      attribute.integer(20, 4)
    case .graph(let graph):
      attribute.data(6, graph)
      attribute.integer(20, 5)
    case .floats(let numbers):
      attribute.floats(7, numbers)
      attribute.integer(20, 6)
    case .ints(let numbers):
      attribute.integers(8, numbers)
      attribute.integer(20, 7)
    case .reference(let other, let type):
      attribute.integer(20, type)
      attribute.string(21, other)
    }
  }

  /// A `FunctionProto`.
  public static func function(
    _ name: String, domain: String, _ inputs: [String], _ outputs: [String], nodes: [[UInt8]],
    operationSet: Int = 18, defaults: KeyValuePairs<String, Attribute> = [:]
  ) -> [UInt8] {
    ProtobufWriter { function in
      function.string(1, name)
      for input in inputs { function.string(4, input) }
      for output in outputs { function.string(5, output) }
      for node in nodes { function.data(7, node) }
      function.message(9) { $0.integer(2, operationSet) }
      function.string(10, domain)
      for (name, value) in defaults { function.message(11) { write(value, name, to: &$0) } }
    }.bytes
  }

  // MARK: Writing

  /// Adds a node.
  public mutating func add(
    _ kind: String, _ inputs: [String], _ outputs: [String] = ["y"],
    _ attributes: KeyValuePairs<String, Attribute> = [:], name: String = "", domain: String = ""
  ) {
    graph.data(1, Self.node(kind, inputs, outputs, attributes, name: name, domain: domain))
  }

  /// Adds an initializer of floats.
  public mutating func floats(_ name: String, _ values: [Float], _ shape: [Int]? = nil) {
    graph.data(5, Self.tensor(floats: values, shape ?? [values.count], name: name))
  }

  /// Adds an initializer of 64-bit integers.
  public mutating func integers(_ name: String, _ values: [Int], _ shape: [Int]? = nil) {
    graph.data(5, Self.tensor(integers: values, shape ?? [values.count], name: name))
  }

  /// Adds an initializer of codes: int8 (3), uint8 (2) or int32 (6).
  public mutating func codes(_ name: String, type: Int, _ values: [Int], _ shape: [Int]? = nil) {
    graph.data(5, Self.tensor(name, type: type, shape ?? [values.count]) { $0.integers(5, values) })
  }

  /// Adds an input; sizes that are `nil` have a name instead.
  public mutating func input(_ name: String, _ shape: [Int?], type: Int = 1) {
    value(11, name, shape, type)
  }

  /// Adds an output.
  public mutating func output(_ name: String, _ shape: [Int?]? = nil, type: Int = 1) {
    value(12, name, shape, type)
  }

  private mutating func value(_ field: Int, _ name: String, _ shape: [Int?]?, _ type: Int) {
    graph.message(field) { value in
      value.string(1, name)
      value.message(2) { kind in
        kind.message(1) { tensor in
          tensor.integer(1, type)
          guard let shape else { return }
          tensor.message(2) { sizes in
            for (index, size) in shape.enumerated() {
              sizes.message(1) { dimension in
                if let size { dimension.integer(1, size) } else { dimension.string(2, "d\(index)") }
              }
            }
          }
        }
      }
    }
  }

  /// Adds a key and a value that describe the model.
  public mutating func metadata(_ key: String, _ value: String) {
    rest.message(14) { entry in
      entry.string(1, key)
      entry.string(2, value)
    }
  }

  /// The file.
  public var bytes: [UInt8] {
    ProtobufWriter { model in
      model.integer(1, 8)
      model.string(2, "test")
      model.data(7, graph.bytes)
      if operationSet > 0 { model.message(8) { $0.integer(2, operationSet) } }
      model.raw(rest.bytes)
    }.bytes
  }
}
