// Fovea - where the model that a command works with comes from.
// SPDX-License-Identifier: Apache-2.0
package import Fovea
internal import FoveaCodesAndText
package import FoveaCommandLine

/// Where the model that a command works with comes from.
package enum ModelSource: Sendable {
  /// A file of any format that is opened, or the folder of a package.
  case file(String)
  /// The bytes of a file that somebody sent, with its name.
  case bytes([UInt8], name: String)
  /// The detector that is part of the program.
  case codesAndText

  /// The file that `--model` names; without it the detector that is part of the program.
  package init(_ arguments: ArgumentList) {
    self = arguments.value("--model").map(Self.file) ?? .codesAndText
  }

  /// What messages and documents call it.
  package var name: String {
    switch self {
    case .file(let path): path
    case .bytes(_, let name): name
    case .codesAndText: "CodesAndText"
    }
  }

  /// What to say to a person for whom it finds nothing; `nil` for a model of their own.
  package var hint: String? {
    switch self {
    case .file, .bytes: nil
    case .codesAndText:
      "the detector inside knows only codes, lines of text and documents; "
        + "name another with --model; 'fovea get --list' knows some"
    }
  }

  /// Loads it.
  package func load(_ options: Model.Options) throws(FoveaError) -> Model {
    switch self {
    case .file(let path): try Model(contentsOf: path, options: options)
    case .bytes(let bytes, let name): try Model(bytes: bytes, name: name, options: options)
    case .codesAndText: try Model.codesAndText(options: options)
    }
  }
}

extension CommandDescription.Option {
  package static let model = Self(
    name: "--model", value: "FILE",
    help: "the detector: .mlmodel, .mlpackage, .mlmodelc, .onnx, .tflite, .cfg or .fovea, or a name"
      + " of 'fovea get --list' (default: the one inside, for codes and text)")
  /// The same for commands whose first operand it is.
  package static let modelOperand = Self(
    name: "--model", value: "FILE", help: "MODEL, where it is not the first argument")
  /// The same for two of them.
  package static let modelOperands = Self(
    name: "--model", value: "FILE", help: "MODEL, where it is not the first argument",
    isRepeatable: true)
}
