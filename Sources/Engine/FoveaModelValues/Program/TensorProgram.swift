// Fovea - a program of tensor operations.
// SPDX-License-Identifier: Apache-2.0

/// A program of tensor operations as a file describes it.
///
/// It is the meeting point of model formats that are graphs of operations on tensors: every such
/// reader makes this description, and one lowering turns it into a network of the core.
///
///     program  -> functions by name
///     function -> inputs, one block
///     block    -> operations in an order in which every value is written before it is read
///     operation-> a kind, arguments by name, results with name and type
///
/// A value of this type has passed all checks that need no knowledge of operations: names are
/// unique and written before they are read, and constants have as many bytes as their types say.
public struct TensorProgram: Sendable, Equatable {
  /// The functions by name; never empty.
  public var functions: [String: Function]

  /// Creates a program.
  public init(functions: [String: Function]) {
    self.functions = functions
  }

  /// A function: what runs when a model is asked.
  public struct Function: Sendable, Equatable {
    /// The inputs.
    public var inputs: [Value]
    /// The set of operations that the block is written in, such as "CoreML7".
    public var operationSet: String
    /// The operations in the order in which they run.
    public var operations: [Operation]
    /// The names of the values that are the function's results.
    public var outputs: [String]

    /// Creates a function.
    public init(
      inputs: [Value], operationSet: String, operations: [Operation], outputs: [String]
    ) {
      self.inputs = inputs
      self.operationSet = operationSet
      self.operations = operations
      self.outputs = outputs
    }

    /// The number of the operation set: 7 for "CoreML7".
    package var operationSetNumber: Int { Int(operationSet.drop { !$0.isNumber }) ?? 0 }

    /// The number of operations that are no constants.
    public var computingOperationCount: Int { operations.count { !$0.isConstant } }

    /// The bytes that constants are stored in. Those of a file that several share count once.
    package var storedByteCount: Int {
      var sizes: [ObjectIdentifier: Int] = [:]
      for case .constant(let constant) in operations.lazy.flatMap({ $0.arguments.values.joined() })
      {
        guard case .bytes(let bytes) = constant.content else { continue }
        let (owner, byteCount) = bytes.source
        sizes[owner] = min(sizes[owner, default: 0] + bytes.count, byteCount)
      }
      return sizes.values.reduce(0, +)
    }
  }

  /// A value: an input of a function, or a result of an operation.
  public struct Value: Sendable, Equatable {
    /// The name, which is unique in a function.
    public var name: String
    /// The type.
    public var type: ValueType

    /// Creates a value.
    public init(name: String, type: ValueType) {
      self.name = name
      self.type = type
    }
  }

  /// One operation.
  public struct Operation: Sendable, Equatable {
    /// The kind, such as "conv"; "const" for a constant.
    public var kind: String
    /// What the operation reads, by the name of the argument. One that is given several values, as
    /// those of a concatenation, has them in order. Parameters that a file gives as attributes are
    /// here, too.
    public var arguments: [String: [Argument]]
    /// What the operation writes.
    public var results: [Value]
    /// Where the operation stands in the file, in bytes; `nil` if no single place is known.
    public var byteOffset: Int?
    /// What the author calls the operation, where formats know that; else empty.
    package var name = ""

    /// Creates an operation.
    public init(
      kind: String, arguments: [String: [Argument]], results: [Value], byteOffset: Int? = nil
    ) {
      self.kind = kind
      self.arguments = arguments
      self.results = results
      self.byteOffset = byteOffset
    }

    /// The name of the first result; empty for an operation that writes nothing.
    package var firstResult: String { results.first?.name ?? "" }

    /// Whether the operation is a constant, as numbers or as codes.
    public var isConstant: Bool { kind == "const" || kind.hasPrefix("constexpr_") }
  }

  /// One value that an operation is given.
  public enum Argument: Sendable, Equatable {
    /// A value that was written before.
    case value(String)
    /// A constant that stands in the operation itself.
    case constant(TensorConstant)
  }
}

/// The type of a value of a program.
public indirect enum ValueType: Sendable, Hashable {
  /// An array of numbers, truth values or texts.
  case tensor(TensorType)
  /// Values of one type; `nil` for any number of them.
  case list(ValueType, count: Int?)
  /// Values of several types.
  case tuple([ValueType])
  /// Values by key.
  case dictionary(key: ValueType, value: ValueType)
  /// A tensor that lives on between runs.
  case state(ValueType)
}

/// The type of a tensor.
public struct TensorType: Sendable, Hashable {
  /// The type of the elements.
  public var element: ElementType
  /// The sizes, outermost first, `nil` where one depends on the input; `nil` if not even their
  /// number is known. A scalar has none.
  public var shape: [Int?]?

  /// Creates a type.
  public init(element: ElementType, shape: [Int?]?) {
    self.element = element
    self.shape = shape
  }

  /// The sizes, where all are known.
  public var knownShape: [Int]? {
    guard let shape else { return nil }
    let known = shape.compactMap { $0 }
    return known.count == shape.count ? known : nil
  }
}

/// A constant of a program, as the file stores it.
public struct TensorConstant: Sendable, Equatable {
  /// The type of the elements.
  public var element: ElementType
  /// The sizes, outermost first; none for a scalar.
  public var shape: [Int]
  /// The elements.
  public var content: Content

  /// The elements of a constant.
  public enum Content: Sendable, Equatable {
    /// Numbers and truth values, row-major, little-endian, in `ElementType.bits` bits each. Elements
    /// of fewer than 8 bits form one string of bits: the first one takes the lowest bits of the
    /// first byte, elements straddle bytes, and only the last byte is padded.
    ///
    ///     3 bits, elements 1 2 3:   11|010|001 0000000|0   = 0xD1 0x00
    case bytes(StoredBytes)
    /// Texts.
    case strings([String])
  }

  /// Creates a constant.
  public init(element: ElementType, shape: [Int], content: Content) {
    self.element = element
    self.shape = shape
    self.content = content
  }

  /// The number of elements.
  public var count: Int { shape.reduce(1, *) }
}
