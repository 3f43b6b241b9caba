// Fovea - names that programs of Core ML may have.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Gives values names that ML Programs allow: letters, digits and underscores, no digit first.
///
/// Names that are allowed stay. In others each character that is not becomes an underscore:
/// "/model.0/conv/Conv_output_0" becomes "_model_0_conv_Conv_output_0", and where that is taken, a
/// number follows.
struct ProgramNames {
  private var names: [String: String] = [:]
  private var taken: Set<String>

  /// Begins with the names of a function: those of its inputs and outputs are chosen first.
  init(_ function: TensorProgram.Function) {
    let results = function.operations.flatMap { $0.results.map(\.name) }
    // No other name may become one that is there already.
    taken = Set(results.filter(Self.isAllowed))
    taken.formUnion(function.inputs.map(\.name).filter(Self.isAllowed))
    for name in function.inputs.map(\.name) + function.outputs + results { choose(name) }
  }

  /// The new name of a value.
  subscript(name: String) -> String { names[name] ?? name }

  /// The new names of values whose old ones are not allowed.
  var changed: [String: String] { names.filter { $0.key != $0.value } }

  /// A name that no value has yet, made of another one.
  mutating func new(_ wanted: String) -> String {
    let base = Self.allowed(wanted)
    var name = base
    var count = 0
    while !taken.insert(name).inserted {
      name = "\(base)_\(count)"
      count += 1
    }
    return name
  }

  private mutating func choose(_ name: String) {
    guard names[name] == nil else { return }
    names[name] = Self.isAllowed(name) ? name : new(name)
  }

  // MARK: What is allowed

  /// Words that the text form of a program gives a meaning.
  private static let reserved: Set<String> = [
    "any", "bool", "program", "func", "tensor", "list", "dict", "tuple", "true", "false", "string",
    "state", "bf16", "fp16", "fp32", "fp64", "int4", "int8", "int16", "int32", "int64", "uint1",
    "uint2", "uint3", "uint4", "uint6", "uint8", "uint16", "uint32", "uint64",
  ]

  private static func isAllowed(_ name: String) -> Bool { allowed(name) == name }

  private static func allowed(_ name: String) -> String {
    var text = ""
    for character in name.unicodeScalars {
      let isDigit = ("0"..."9").contains(character)
      if isDigit, text.isEmpty { text = "_" }
      text.unicodeScalars.append(isDigit || isLetter(character) ? character : "_")
    }
    return text.isEmpty || reserved.contains(text) ? text + "_" : text
  }

  private static func isLetter(_ character: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(character) || ("A"..."Z").contains(character) || character == "_"
  }
}
