// Fovea - what fovea inspect knows about programs: functions, operations, constants.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaModelValues

/// What the program of a stage consists of.
struct ProgramReport: Encodable {
  /// The name of the stage.
  var stage: String
  /// The function that is described.
  var function: String
  /// The set of operations that it is written in, such as "CoreML7".
  var operationSet: String
  /// How many operations there are of each kind, without constants.
  var operations: [String: Int]
  /// The constants by the way in which they are stored, most bytes first.
  var constants: [ConstantEncodings.Row]

  /// The reports of all programs of a file that are not compiled.
  static func all(_ file: ModelDescription) -> [ProgramReport] {
    file.stages.compactMap { stage in
      guard case .program(let program) = stage.model.body,
        let function = program.functions[stage.model.functionName]
      else { return nil }
      return ProgramReport(
        stage: stage.name, function: stage.model.functionName,
        operationSet: function.operationSet,
        operations: function.operations.reduce(into: [:]) { counts, operation in
          if !operation.isConstant { counts[operation.kind, default: 0] += 1 }
        },
        constants: ConstantEncodings(function).rows)
    }
  }

  /// The report for people.
  var text: String {
    let place = "\(stage), function \(function), \(operationSet)".printable
    return "operations of \(place):\n" + operationTable.text(indentation: 2)
      + "\nconstants of \(stage.printable):\n" + constantTable.text(indentation: 2)
  }

  /// Three kinds in a line, most operations first, down the columns.
  private var operationTable: TextTable {
    let columns = 3
    let kinds = operations.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let height = (kinds.count + columns - 1) / columns
    var table = TextTable(
      (0..<columns).flatMap { _ in [.left("operation"), .right("count")] as [TextTable.Column] })
    for row in 0..<height {
      table.rows.append(
        stride(from: row, to: columns * height, by: height).flatMap { index in
          index < kinds.count ? [kinds[index].key, "\(kinds[index].value)"] : ["", ""]
        })
    }
    return table
  }

  private var constantTable: TextTable {
    var table = TextTable([
      .left("encoding"), .right("tensors"), .right("elements"), .right("bytes"),
    ])
    for row in constants {
      table.rows.append([row.encoding, "\(row.tensors)", "\(row.elements)", "\(row.bytes)"])
    }
    return table
  }
}

/// A function of a program that has several.
struct FunctionReport: Encodable {
  var name: String
  var inputs: [InspectionReport.Feature]
  var outputs: [InspectionReport.Feature]
  /// Whether the rest of the report is about this one.
  var isShown: Bool

  /// The functions of a file; `nil` for one that has a single one. A compiled file has only the one
  /// that it was made from, whatever its description lists.
  static func all(_ file: ModelDescription, isCompiled: Bool) -> [FunctionReport]? {
    guard !file.functions.isEmpty else { return nil }
    let functions = file.functions.filter { !isCompiled || $0.name == file.functionName }
    return functions.map { function in
      FunctionReport(
        name: function.name, inputs: function.inputs.map { .init($0, shape: nil) },
        outputs: function.outputs.map { .init($0, shape: nil) },
        isShown: function.name == file.functionName)
    }
  }

  /// The functions for people.
  static func table(_ functions: [FunctionReport]) -> TextTable {
    var table = TextTable([.left("name"), .left("inputs"), .left("outputs"), .left("")])
    for function in functions {
      table.rows.append([
        function.name, words(function.inputs), words(function.outputs),
        function.isShown ? "shown here" : "--function \(function.name)",
      ])
    }
    return table
  }

  private static func words(_ features: [InspectionReport.Feature]) -> String {
    features.map { feature in
      let shape = feature.shape.isEmpty ? "" : " " + NumberText.shape(feature.shape)
      return "\(feature.name) (\(feature.type)\(shape))"
    }.joined(separator: ", ")
  }
}
