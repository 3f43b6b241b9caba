// Fovea - tests: programs as messages, written from the numbers of their fields.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport

/// Writes the messages of MILSpec.
enum ProgramMessages {
  /// The numbers of the element types.
  static let numbers: [ElementType: Int] = [
    .bool: 1, .string: 2, .float16: 10, .float32: 11, .float64: 12, .bfloat16: 13, .int8: 21,
    .int16: 22, .int32: 23, .int64: 24, .int4: 25, .uint8: 31, .uint16: 32, .uint32: 33,
    .uint64: 34, .uint4: 35, .uint2: 36, .uint1: 37, .uint6: 38, .uint3: 39, .float8E4M3FN: 40,
    .float8E5M2: 41,
  ]

  /// A type that is a tensor.
  static func type(_ element: ElementType, _ shape: [Int?]) -> [UInt8] {
    ProtobufWriter { type in
      type.message(1) { tensor in
        tensor.integer(1, numbers[element] ?? 0)
        tensor.integer(2, shape.count)
        for size in shape {
          tensor.message(3) { dimension in
            if let size {
              dimension.message(1) { $0.integer(1, size) }
            } else {
              dimension.message(2) { _ in }
            }
          }
        }
      }
    }.bytes
  }

  /// A type that is a list of scalars.
  static func list(_ element: ElementType, count: Int) -> [UInt8] {
    ProtobufWriter { type in
      type.message(2) { list in
        list.data(1, self.type(element, []))
        list.message(2) { $0.message(1) { $0.integer(1, count) } }
      }
    }.bytes
  }

  /// A value with its elements; `fill` writes a TensorValue.
  static func value(
    _ element: ElementType, _ shape: [Int], _ fill: (inout ProtobufWriter) -> Void
  ) -> [UInt8] {
    ProtobufWriter { value in
      value.data(2, type(element, shape))
      value.message(3) { $0.message(1, fill) }
    }.bytes
  }

  /// Texts.
  static func strings(_ shape: [Int], _ texts: [String]) -> [UInt8] {
    value(.string, shape) { tensor in
      tensor.message(4) { list in for text in texts { list.string(1, text) } }
    }
  }

  /// Integers of 32 bits.
  static func integers(_ shape: [Int], _ values: [Int]) -> [UInt8] {
    value(.int32, shape) { tensor in tensor.message(2) { $0.integers(1, values) } }
  }

  /// A value in a file.
  static func blob(
    _ element: ElementType, _ shape: [Int], _ file: String, _ offset: Int
  ) -> [UInt8] {
    ProtobufWriter { value in
      value.data(2, type(element, shape))
      value.message(5) { blob in
        blob.string(1, file)
        blob.integer(2, offset)
      }
    }.bytes
  }

  /// The name and the type of a value.
  static func named(_ name: String, _ type: [UInt8]) -> [UInt8] {
    ProtobufWriter { named in
      named.string(1, name)
      named.data(2, type)
    }.bytes
  }

  /// One value that an operation is given.
  enum Binding {
    case name(String)
    case value([UInt8])
  }

  /// An operation.
  static func operation(
    _ kind: String, _ arguments: [String: [Binding]] = [:], results: [[UInt8]],
    attributes: [String: [UInt8]] = [:]
  ) -> [UInt8] {
    ProtobufWriter { operation in
      operation.string(1, kind)
      for (name, bindings) in arguments {
        operation.message(2) { entry in
          entry.string(1, name)
          entry.message(2) { argument in
            for binding in bindings {
              argument.message(1) { writer in
                switch binding {
                case .name(let name): writer.string(1, name)
                case .value(let value): writer.data(2, value)
                }
              }
            }
          }
        }
      }
      for result in results { operation.data(3, result) }
      for (name, value) in attributes {
        operation.message(5) { entry in
          entry.string(1, name)
          entry.data(2, value)
        }
      }
    }.bytes
  }

  /// A constant.
  static func constant(
    _ name: String, _ element: ElementType, _ shape: [Int], _ value: [UInt8]
  ) -> [UInt8] {
    operation(
      "const", results: [named(name, type(element, shape))],
      attributes: ["name": strings([], [name]), "val": value])
  }

  /// The program of a model with one function "main" of set CoreML8.
  static func program(
    _ operations: [[UInt8]], inputs: [(String, [Int?])] = [], outputs: [String] = ["y"],
    folder: any ModelFolder = EmptyFolder()
  ) throws -> TensorProgram {
    let bytes = ModelBuilder.model(
      version: 9, inputs: inputs.map { ModelBuilder.array($0.0, []) },
      outputs: outputs.map { ModelBuilder.array($0, []) }, type: 502
    ) { program in
      program.integer(1, 1)
      program.message(2) { entry in
        entry.string(1, "main")
        entry.message(2) { function in
          for (name, shape) in inputs { function.data(1, named(name, type(.float32, shape))) }
          function.string(2, "CoreML8")
          function.message(3) { entry in
            entry.string(1, "CoreML8")
            entry.message(2) { block in
              for output in outputs { block.string(2, output) }
              for operation in operations { block.data(3, operation) }
            }
          }
        }
      }
    }
    let model = try ModelDescription(bytes: bytes, folder: folder)
    guard case .program(let program) = model.body else { throw Missing(what: "a program") }
    return program
  }
}
