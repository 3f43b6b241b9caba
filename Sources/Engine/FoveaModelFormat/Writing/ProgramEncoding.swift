// Fovea - programs as messages.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Writes `Program` messages of MILSpec.
struct ProgramEncoder {
  /// The file of constants.
  private(set) var blobs = ProgramBlobs(EmptyFolder())
  /// The name of the file of the next program's constants, as programs give it.
  var fileName = BlobFiles.prefix + "weights/weight.bin"
  /// Whether large constants go to the file; otherwise all stand in the message.
  var usesFile = true

  /// A program whose operations are those of ML Programs.
  ///
  /// - Parameter renamed: Takes the new names of values by the old ones, for each function.
  mutating func program(
    _ program: TensorProgram, renamed: inout [String: [String: String]]
  ) -> [UInt8] {
    ValueMessage.message { message in
      message.integer(1, 1)
      for (name, function) in program.functions.sorted(by: { $0.key < $1.key }) {
        let tidied = function.tidied(renamed: &renamed[name, default: [:]])
        message.message(2) { entry in
          entry.text(1, name)
          entry.bytes(2, self.function(tidied))
        }
      }
    }
  }

  private mutating func function(_ function: TensorProgram.Function) -> [UInt8] {
    let block = block(function)
    return ValueMessage.message { message in
      for input in function.inputs { message.bytes(1, TypeMessage.named(input)) }
      message.text(2, function.operationSet)
      message.message(3) { entry in
        entry.text(1, function.operationSet)
        entry.bytes(2, block)
      }
    }
  }

  private mutating func block(_ function: TensorProgram.Function) -> [UInt8] {
    var message = WireWriter()
    for output in function.outputs { message.text(2, output) }
    let set = function.operationSetNumber
    for operation in function.operations { message.bytes(3, self.operation(operation, set)) }
    return message.output
  }

  // MARK: Operations

  private mutating func operation(
    _ operation: TensorProgram.Operation, _ operationSet: Int
  ) -> [UInt8] {
    let hasAttributes = operation.hasAttributes(operationSet: operationSet)
    var attributes: [(name: String, value: [UInt8])] = [
      ("name", ValueMessage.text(operation.firstResult))
    ]
    var message = WireWriter()
    message.text(1, operation.kind)
    for (name, given) in operation.arguments.sorted(by: { $0.key < $1.key }) {
      if hasAttributes, case .constant(let constant)? = given.first {
        attributes.append((name, value(constant, operationSet)))
        continue
      }
      message.message(2) { entry in
        entry.text(1, name)
        entry.message(2) { argument in
          let isList = operation.kind == "classify"
          for binding in given {
            argument.bytes(1, self.binding(binding, isList: isList, operationSet))
          }
        }
      }
    }
    for result in operation.results { message.bytes(3, TypeMessage.named(result)) }
    for (name, value) in attributes {
      message.message(5) { entry in
        entry.text(1, name)
        entry.bytes(2, value)
      }
    }
    return message.output
  }

  private mutating func binding(
    _ argument: TensorProgram.Argument, isList: Bool, _ operationSet: Int
  ) -> [UInt8] {
    var message = WireWriter()
    switch argument {
    case .value(let name): message.text(1, name)
    case .constant(let constant):
      message.bytes(
        2, isList ? ValueMessage.list(constant) : value(constant, operationSet))
    }
    return message.output
  }

  // MARK: Constants

  /// A constant in the message, or a large one in the file.
  private mutating func value(_ constant: TensorConstant, _ operationSet: Int) -> [UInt8] {
    guard usesFile, case .bytes(let bytes) = constant.content,
      constant.count >= ProgramBlobs.leastCount,
      Self.isStoredInFiles(constant.element, operationSet)
    else { return ValueMessage.value(constant) }
    let place = blobs.add(bytes.array, constant.element, count: constant.count, to: fileName)
    return ValueMessage.value(ValueMessage.type(constant.element, constant.shape), at: place)
  }

  /// Files have integers of more than 8 bits, and elements of fewer, since iOS 18.
  private static func isStoredInFiles(_ element: ElementType, _ operationSet: Int) -> Bool {
    switch element {
    case .float16, .float32, .int8, .uint8: true
    case .bool, .string, .float64, .int64, .uint64: false
    default: operationSet >= 8 && element.blobNumber != nil
    }
  }
}
