// Fovea - the programs of a file, and where their constants stand.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelFormat

/// A program of a file.
struct ProgramPart {
  /// The places of its stage in the pipelines around it; empty for a file that is a program itself.
  var path: [Int]
  var program: TensorProgram
}

/// Where a constant of a program stands.
struct ProgramSite: Hashable {
  /// The place of the program, as `WeightAddress.path`.
  var path: [Int]
  var function: String
  /// The name of the value.
  var name: String
}

extension ModelDescription {
  /// The programs, in the order of the file.
  var programs: [ProgramPart] { programs(path: []) }

  private func programs(path: [Int]) -> [ProgramPart] {
    switch body {
    case .pipeline(let pipeline):
      pipeline.stages.enumerated().flatMap { $1.model.programs(path: path + [$0]) }
    case .program(let program): [ProgramPart(path: path, program: program)]
    case .neuralNetwork, .nonMaximumSuppression, .unsupported: []
    }
  }
}

extension TensorProgram.Operation {
  /// The name of the value that an argument is, if it is one.
  func valueName(_ argument: String) -> String? {
    guard let values = arguments[argument], values.count == 1, case .value(let name) = values[0]
    else { return nil }
    return name
  }

  /// The names of all values that the operation reads.
  var valueNames: [String] {
    arguments.values.joined().compactMap { argument in
      if case .value(let name) = argument { name } else { nil }
    }
  }
}
