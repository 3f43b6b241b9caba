// Fovea - programs written as text, which fuzzers change more easily than messages.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat

/// Writes programs in the text form. Constants of files stand in the text.
struct ProgramPrinter {
  private var text = "program(1.3)\n{\n"

  private static let operationSets = [
    "CoreML5": "ios15", "CoreML6": "ios16", "CoreML7": "ios17", "CoreML8": "ios18",
    "CoreML9": "ios26",
  ]

  /// The text of a program.
  static func text(of program: TensorProgram) -> String {
    var printer = ProgramPrinter()
    for (name, function) in program.functions.sorted(by: { $0.key < $1.key }) {
      printer.add(function, name)
    }
    return printer.text + "}\n"
  }

  private mutating func add(_ function: TensorProgram.Function, _ name: String) {
    let set = Self.operationSets[function.operationSet] ?? function.operationSet
    text += "func \(name)<\(set)>(\(Self.joined(function.inputs.map(Self.named)))) {\n"
    for operation in function.operations {
      let arguments = operation.arguments.sorted { $0.key < $1.key }.map { name, values in
        let list = values.map(Self.argument)
        return "\(name) = " + (list.count == 1 ? list[0] : "(\(Self.joined(list)))")
      }
      text += "\(Self.joined(operation.results.map(Self.named))) = \(operation.kind)"
      text +=
        operation.kind == "const"
        ? "()[\(Self.joined(arguments))];\n" : "(\(Self.joined(arguments)));\n"
    }
    text += "} -> (\(Self.joined(function.outputs)));\n"
  }

  private static func joined(_ parts: [String]) -> String { parts.joined(separator: ", ") }

  /// A type and a name. The text has no word for a tensor of unknown rank; lists are not checked.
  private static func named(_ value: TensorProgram.Value) -> String {
    guard case .tensor(let type) = value.type, let shape = type.shape else {
      return "list<fp32, ?> \(value.name)"
    }
    return "tensor<\(type.element.rawValue), [\(sizes(shape))]> \(value.name)"
  }

  private static func sizes(_ shape: [Int?]) -> String {
    joined(shape.map { size in size.map { String($0) } ?? "?" })
  }

  private static func argument(_ argument: TensorProgram.Argument) -> String {
    switch argument {
    case .value(let name): return name
    case .constant(let constant):
      var elements = elements(of: constant)[...]
      let nested = nested(&elements, constant.shape[...])
      return "tensor<\(constant.element.rawValue), [\(sizes(constant.shape))]>(\(nested))"
    }
  }

  private static func nested(_ rest: inout ArraySlice<String>, _ shape: ArraySlice<Int>) -> String {
    guard let size = shape.first else { return rest.popFirst() ?? "0" }
    return "[" + joined((0..<size).map { _ in nested(&rest, shape.dropFirst()) }) + "]"
  }

  private static func elements(of constant: TensorConstant) -> [String] {
    switch constant.content {
    case .strings(let texts): return texts.map { "\"\($0)\"" }
    case .bytes(let stored):
      let bytes = stored.array
      let width = constant.element.bits
      return (0..<constant.count).map { index in
        var bits: UInt64 = 0
        for bit in 0..<width {
          let place = index * width + bit
          bits |= UInt64(bytes[place / 8] >> UInt8(place % 8) & 1) << UInt64(bit)
        }
        return number(bits, constant.element)
      }
    }
  }

  private static func number(_ bits: UInt64, _ element: ElementType) -> String {
    switch element {
    case .bool: return bits == 0 ? "false" : "true"
    case .float32: return "\(Float(bitPattern: UInt32(bits)))"
    case .float64: return "\(Double(bitPattern: bits))"
    case .float16:
      // The examples have normal halves only.
      let fraction = Double(bits & 0x3FF) / 1024 + 1
      let scale = Double(UInt64(1) << (bits >> 10 & 31)) / 32_768
      return "\((bits >> 15 == 0 ? fraction : -fraction) * scale)"
    default:
      let sign = UInt64(1) << UInt64(element.bits - 1)
      guard element.isSigned, bits & sign != 0 else { return "\(bits)" }
      return "-\(sign - (bits - sign))"
    }
  }
}
