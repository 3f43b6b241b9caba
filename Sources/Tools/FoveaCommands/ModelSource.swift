// Fovea - where the model that a command works with comes from.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaCodesAndText

/// Where the model that a command works with comes from.
enum ModelSource: Sendable {
  /// A file of any format that is opened, or the folder of a package.
  case file(String)
  /// The detector that is part of the program.
  case codesAndText

  /// The file that `--model` names; without it the detector that is part of the program.
  init(_ arguments: ArgumentList) {
    self = arguments.value("--model").map(Self.file) ?? .codesAndText
  }

  /// What messages and documents call it.
  var name: String {
    switch self {
    case .file(let path): path
    case .codesAndText: "CodesAndText"
    }
  }

  /// Loads it.
  func load(_ options: Model.Options) throws(FoveaError) -> Model {
    switch self {
    case .file(let path): try Model(contentsOf: path, options: options)
    case .codesAndText: try Model.codesAndText(options: options)
    }
  }
}

extension CommandDescription.Option {
  static let model = Self(
    name: "--model", value: "FILE",
    help: "the detector: .mlmodel, .mlpackage, .mlmodelc, .onnx, .tflite, .cfg or .fovea"
      + " (default: the one inside, for codes and text)")
}
