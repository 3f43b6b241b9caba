// Fovea - programs with other weights.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// Writes programs again with other weights.
///
/// Operations that give replaced weights are written anew, under the same names and types. Constants that
/// only they read go. All other operations stay, but for the places of constants in files. A function in
/// the operations of iOS 15 becomes one of iOS 16 where it gets codes; no operation means less there.
final class ProgramRewriter {
  private let functions: [[Int]: [String: TensorProgram.Function]]
  private let sites: [ProgramSite: WeightAddress]
  private let replacements: [WeightAddress: WrittenWeights]
  /// Weights whose second axis are the output channels.
  private let transposed: Set<WeightAddress>
  /// The files of constants.
  private(set) var blobs: ProgramBlobs
  /// What has been written.
  private(set) var written: Set<WeightAddress> = []
  /// The least version of the specification by the place of a program; 0 for any.
  private(set) var versions: [[Int]: Int]

  /// The first set of operations with codes for constants, and its version of the specification.
  private static let firstSet = (number: 6, name: "CoreML6", version: 7)

  init(
    _ file: ModelDescription, _ folder: any ModelFolder, sites: [ProgramSite: WeightAddress],
    layers: [QuantizableLayer], _ replacements: [WeightAddress: WrittenWeights]
  ) {
    let programs = file.programs
    functions = Dictionary(
      programs.map { ($0.path, $0.program.functions) }, uniquingKeysWith: { $1 })
    versions = Dictionary(programs.map { ($0.path, 0) }, uniquingKeysWith: { $1 })
    self.sites = sites
    transposed = Set(layers.filter { $0.typeName == "conv_transpose" }.map(\.address))
    self.replacements = replacements
    blobs = ProgramBlobs(folder)
  }

  /// The `Program` at a place of the file.
  func program(_ message: ProtobufMessage, path: [Int]) throws(ModelFormatError) -> [UInt8] {
    let names = try message.elements(2).map { entry throws(ModelFormatError) in
      try entry.text(1)
    }
    return try message.edited(repeated: 2) { (index, entry) throws(ModelFormatError) in
      // A key that comes twice means the last one.
      guard names.lastIndex(of: names[index]) == index else { return .dropped }
      guard let function = functions[path]?[names[index]] else { return .kept }
      return .replaced(
        try entry.edited(fields: [2]) { (_, content) throws(ModelFormatError) in
          try self.function(content, function, names[index], path: path)
        })
    }
  }

  private func function(
    _ message: ProtobufMessage, _ function: TensorProgram.Function, _ name: String, path: [Int]
  ) throws(ModelFormatError) -> [UInt8] {
    let edit = FunctionEdit(function) { value in
      self.sites[ProgramSite(path: path, function: name, name: value)].flatMap { address in
        self.replacements[address].map { (address, $0) }
      }
    }
    var operationSet = function.operationSet
    if edit.needsCodes {
      versions[path] = max(versions[path] ?? 0, Self.firstSet.version)
      if function.operationSetNumber < Self.firstSet.number { operationSet = Self.firstSet.name }
    }
    let renamed = try message.edited(repeated: 2) { (_, _) in
      .replaced(Array(operationSet.utf8))
    }
    return try blocks(
      of: ProtobufMessage(file: renamed), edit, from: function.operationSet, to: operationSet)
  }

  /// The blocks of a function by their sets of operations; the active one changes.
  private func blocks(
    of message: ProtobufMessage, _ edit: FunctionEdit, from old: String, to new: String
  ) throws(ModelFormatError) -> [UInt8] {
    let names = try message.elements(3).map { entry throws(ModelFormatError) in
      try entry.text(1)
    }
    return try message.edited(repeated: 3) { (index, entry) throws(ModelFormatError) in
      // Blocks in other sets run nowhere, since the function names its own.
      guard names[index] == old, names.lastIndex(of: old) == index else { return .dropped }
      let named = try entry.edited(repeated: 1) { (_, _) in .replaced(Array(new.utf8)) }
      return .replaced(
        try ProtobufMessage(file: named).edited(fields: [2]) {
          (_, block) throws(ModelFormatError) in try self.block(block, edit)
        })
    }
  }

  private func block(
    _ message: ProtobufMessage, _ edit: FunctionEdit
  ) throws(ModelFormatError) -> [UInt8] {
    try message.edited(repeated: 3) { (index, operation) throws(ModelFormatError) in
      switch edit.changes[index] {
      case .dropped: return .dropped
      case .kept:
        return edit.hasConstants[index] ? .replaced(try moved(operation)) : .kept
      case .weights(let address, let weights):
        written.insert(address)
        return .replaced(
          try ConstantOperation.message(
            weights, replacing: edit.function.operations[index], operation,
            usesInputs: edit.function.operationSetNumber >= 8,
            channelAxis: transposed.contains(address) ? 1 : 0, &blobs))
      }
    }
  }

  // MARK: Constants that move

  /// An operation whose constants are where they are now.
  private func moved(_ operation: ProtobufMessage) throws(ModelFormatError) -> [UInt8] {
    let attributes = try operation.edited(repeated: 5) { (_, entry) throws(ModelFormatError) in
      .replaced(
        try entry.edited(fields: [2]) { (_, value) throws(ModelFormatError) in
          try self.value(value)
        })
    }
    return try ProtobufMessage(file: attributes).edited(repeated: 2) {
      (_, entry) throws(ModelFormatError) in
      .replaced(
        try entry.edited(fields: [2]) { (_, argument) throws(ModelFormatError) in
          try argument.edited(repeated: 1) { (_, binding) throws(ModelFormatError) in
            .replaced(
              try binding.edited(fields: [2]) { (_, value) throws(ModelFormatError) in
                try self.value(value)
              })
          }
        })
    }
  }

  /// A `Value`, whose elements may be in a file.
  private func value(_ message: ProtobufMessage) throws(ModelFormatError) -> [UInt8] {
    try message.edited(fields: [5]) { (_, blob) throws(ModelFormatError) in
      var offset: UInt64 = 0
      try blob.walk { (_, field) in
        if let field, field.number == 2, case .varint(let value) = field.wire { offset = value }
      }
      return ValueMessage.place(try blobs.copy(try blob.text(1), at: offset))
    }
  }
}

/// What becomes of the operations of a function.
struct FunctionEdit {
  /// What becomes of an operation.
  enum Change {
    case kept
    case dropped
    case weights(WeightAddress, WrittenWeights)
  }

  let function: TensorProgram.Function
  private(set) var changes: [Change]
  /// Whether operations have constants of their own, which may be in a file.
  let hasConstants: [Bool]
  /// Whether some weights become codes.
  private(set) var needsCodes = false

  init(
    _ function: TensorProgram.Function,
    replacement: (String) -> (WeightAddress, WrittenWeights)?
  ) {
    self.function = function
    hasConstants = function.operations.map { operation in
      operation.arguments.values.joined().contains {
        if case .constant = $0 { true } else { false }
      }
    }
    changes = function.operations.map { operation in
      guard operation.isConstant, let name = operation.results.first?.name,
        let (address, weights) = replacement(name)
      else { return .kept }
      return .weights(address, weights)
    }
    for (change, operation) in zip(changes, function.operations) {
      if case .weights(_, let weights) = change, ConstantOperation.needsCodes(weights, operation) {
        needsCodes = true
      }
    }
    dropUnread()
  }

  /// Drops constants that nothing reads any more.
  private mutating func dropUnread() {
    var read = Set(function.operations.flatMap(\.valueNames))
    let before = read
    read = Set(function.outputs)
    for (index, operation) in function.operations.enumerated().reversed() {
      if case .weights = changes[index] { continue }
      let isRead = operation.results.contains { read.contains($0.name) }
      let wasRead = operation.results.contains { before.contains($0.name) }
      if operation.isConstant, wasRead, !isRead {
        changes[index] = .dropped
      } else {
        read.formUnion(operation.valueNames)
      }
    }
  }
}
