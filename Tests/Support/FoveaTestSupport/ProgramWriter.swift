// Fovea - ML Programs written operation by operation.
// SPDX-License-Identifier: Apache-2.0

/// Writes the messages of a program with one function, valid or not.
///
/// Results have types of unknown shape, so that no test computes shapes.
public struct ProgramWriter {
  /// The set of operations.
  public var operationSet: String
  /// The name of the function.
  public var function = "main"
  private var inputs: [(name: String, shape: [Int])]
  private var operations: [[UInt8]] = []
  private var constantCount = 0

  /// What an operation is given.
  public enum Argument {
    /// A value by name.
    case value(String)
    /// Several values by name.
    case values([String])
    /// A constant in the operation itself.
    case constant(Constant)
    /// Constants in the operation itself, one by one.
    case constants([Constant])

    /// A number.
    public static func float(_ value: Float) -> Argument { .constant(.floats([value], [])) }
    /// Numbers along one dimension.
    public static func floats(_ values: [Float]) -> Argument {
      .constant(.floats(values, [values.count]))
    }
    /// An integer.
    public static func int(_ value: Int) -> Argument { .constant(.ints([value], [])) }
    /// Integers along one dimension.
    public static func ints(_ values: [Int]) -> Argument {
      .constant(.ints(values, [values.count]))
    }
    /// A truth value.
    public static func bool(_ value: Bool) -> Argument { .constant(.bools([value], [])) }
    /// Truth values along one dimension.
    public static func bools(_ values: [Bool]) -> Argument {
      .constant(.bools(values, [values.count]))
    }
    /// A word.
    public static func text(_ value: String) -> Argument { .constant(.texts([value], [])) }
  }

  /// Elements with a shape.
  public enum Constant {
    case floats([Float], [Int])
    case ints([Int], [Int])
    case longs([Int], [Int])
    case bools([Bool], [Int])
    case texts([String], [Int])
    /// Bytes of elements of a type of MIL.
    case raw(type: Int, [UInt8], [Int])
    /// Elements in a file of blobs.
    case blob(type: Int, [Int], offset: Int, file: String = "@model_path/weights/weight.bin")
    /// A list of texts, as classifiers have.
    case list([String])
  }

  /// A program that reads arrays of floats.
  public init(
    inputs: [(name: String, shape: [Int])] = [("x", [1, 4, 6, 8])],
    operationSet: String = "CoreML8"
  ) {
    self.inputs = inputs
    self.operationSet = operationSet
  }

  /// Appends an operation and returns the name of its first result. Results are of type 11 (fp32)
  /// unless `type` says otherwise, or `types` for the first ones.
  @discardableResult
  public mutating func add(
    _ kind: String, _ arguments: KeyValuePairs<String, Argument>, results: [String] = ["y"],
    type: Int = 11, types: [Int] = [], shape: [Int]? = nil,
    attributes: KeyValuePairs<String, Constant> = [:]
  ) -> String {
    operations.append(
      ProtobufWriter { operation in
        operation.string(1, kind)
        for (name, argument) in arguments {
          operation.message(2) { entry in
            entry.string(1, name)
            entry.message(2) { Self.write(argument, to: &$0) }
          }
        }
        for (index, result) in results.enumerated() {
          let type = index < types.count ? types[index] : type
          operation.message(3) { value in
            value.string(1, result)
            value.message(2) { Self.write(type: type, shape: shape, to: &$0) }
          }
        }
        for (name, constant) in attributes {
          operation.message(5) { entry in
            entry.string(1, name)
            entry.message(2) { Self.write(constant, to: &$0) }
          }
        }
      }.bytes)
    return results[0]
  }

  /// Appends a constant and returns its name.
  public mutating func constant(_ constant: Constant, name: String? = nil) -> String {
    constantCount += 1
    let name = name ?? "c\(constantCount)"
    return add(
      "const", [:], results: [name], type: constant.type, attributes: ["val": constant])
  }

  /// Appends an operation as it is in a file.
  public mutating func raw(_ operation: [UInt8]) { operations.append(operation) }

  // MARK: Files

  /// The `Program` message, for results of the function.
  public func program(outputs: [String]) -> [UInt8] {
    ProtobufWriter { program in
      program.integer(1, 1)
      program.message(2) { entry in
        entry.string(1, function)
        entry.message(2) { function in
          for input in inputs {
            function.message(1) { value in
              value.string(1, input.name)
              value.message(2) { Self.write(type: 11, shape: input.shape, to: &$0) }
            }
          }
          function.string(2, operationSet)
          function.message(3) { block in
            block.string(1, operationSet)
            block.message(2) { content in
              for output in outputs { content.string(2, output) }
              for operation in operations { content.data(3, operation) }
            }
          }
        }
      }
    }.bytes
  }

  /// A model file. `images` are inputs described as images, by their size and color space.
  public func model(
    outputs: [String] = ["y"], images: [String: Int] = [:], version: Int = 9
  ) -> [UInt8] {
    ProtobufWriter { model in
      model.integer(1, version)
      model.message(2) { description in
        for (name, shape) in inputs {
          description.data(
            1,
            images[name].map {
              ModelBuilder.image(name, width: shape[3], height: shape[2], colorSpace: $0)
            } ?? ModelBuilder.array(name, shape))
        }
        for output in outputs { description.data(10, ModelBuilder.array(output, [])) }
      }
      model.data(502, program(outputs: outputs))
    }.bytes
  }

  // MARK: Messages

  private static func write(_ argument: Argument, to message: inout ProtobufWriter) {
    switch argument {
    case .value(let name): message.message(1) { $0.string(1, name) }
    case .values(let names): for name in names { message.message(1) { $0.string(1, name) } }
    case .constant(let constant):
      write(.constants([constant]), to: &message)
    case .constants(let constants):
      for constant in constants {
        message.message(1) { $0.message(2) { write(constant, to: &$0) } }
      }
    }
  }

  /// A `ValueType` that is a tensor; without a shape its rank is unknown.
  private static func write(type: Int, shape: [Int]?, to message: inout ProtobufWriter) {
    message.message(1) { tensor in
      tensor.integer(1, type)
      tensor.integer(2, shape?.count ?? -1)
      for size in shape ?? [] { tensor.message(3) { $0.message(1) { $0.integer(1, size) } } }
    }
  }

  private static func write(_ constant: Constant, to value: inout ProtobufWriter) {
    if case .list(let texts) = constant {
      value.message(2) { type in
        type.message(2) { list in
          list.message(1) { write(type: 2, shape: [], to: &$0) }
          list.message(2) { $0.message(1) { $0.integer(1, texts.count) } }
        }
      }
      value.message(3) { immediate in
        immediate.message(3) { list in
          for text in texts { list.message(1) { write(.texts([text], []), to: &$0) } }
        }
      }
      return
    }
    value.message(2) { write(type: constant.type, shape: constant.shape, to: &$0) }
    if case .blob(_, _, let offset, let file) = constant {
      value.message(5) { blob in
        blob.string(1, file)
        blob.integer(2, offset)
      }
      return
    }
    value.message(3) { immediate in
      immediate.message(1) { tensor in
        switch constant {
        case .floats(let values, _): tensor.message(1) { $0.floats(1, values) }
        case .ints(let values, _): tensor.message(2) { $0.integers(1, values) }
        case .longs(let values, _): tensor.message(5) { $0.integers(1, values) }
        case .bools(let values, _): tensor.message(3) { $0.integers(1, values.map { $0 ? 1 : 0 }) }
        case .texts(let values, _):
          tensor.message(4) { texts in for value in values { texts.string(1, value) } }
        case .raw(_, let bytes, _): tensor.message(7) { $0.data(1, bytes) }
        case .blob, .list: break
        }
      }
    }
  }
}

extension ProgramWriter.Constant {
  /// The number of the element type.
  fileprivate var type: Int {
    switch self {
    case .floats: 11
    case .ints: 23
    case .longs: 24
    case .bools: 1
    case .texts, .list: 2
    case .raw(let type, _, _), .blob(let type, _, _, _): type
    }
  }

  fileprivate var shape: [Int] {
    switch self {
    case .floats(_, let shape), .ints(_, let shape), .longs(_, let shape), .bools(_, let shape),
      .texts(_, let shape), .raw(_, _, let shape), .blob(_, let shape, _, _):
      shape
    case .list(let texts): [texts.count]
    }
  }
}
