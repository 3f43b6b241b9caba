// Fovea - the formats of model files.
// SPDX-License-Identifier: Apache-2.0

/// The formats of model files.
package enum ModelFileFormat: Sendable, Hashable, CaseIterable {
  /// A `Model` message of Core ML.
  case coreML
  /// A `ModelProto` message of ONNX.
  case onnx
  /// A flatbuffer of TensorFlow Lite.
  case tensorFlowLite
  /// The layers of Darknet, a text (`.cfg`).
  case darknetLayers
  /// The weights of Darknet (`.weights`).
  case darknetWeights

  /// What people call a file of the format.
  package var name: String {
    switch self {
    case .coreML: "a Core ML model"
    case .onnx: "an ONNX file"
    case .tensorFlowLite: "a TensorFlow Lite file"
    case .darknetLayers: "the layers of a Darknet network (.cfg)"
    case .darknetWeights: "the weights of a Darknet network (.weights)"
    }
  }

  /// The extensions that names of such files have by custom.
  package var extensions: [String] {
    switch self {
    case .coreML: ["mlmodel", "mlpackage", "mlmodelc"]
    case .onnx: ["onnx"]
    case .tensorFlowLite: ["tflite"]
    case .darknetLayers: ["cfg"]
    case .darknetWeights: ["weights"]
    }
  }
}

extension ModelDescription {
  /// The format of the file and its version, such as "ONNX 18".
  package var formatText: String {
    switch fileFormat {
    case .coreML: "Core ML specification \(specificationVersion)"
    case .darknetLayers, .darknetWeights: "Darknet"
    case .onnx, .tensorFlowLite: firstFunction?.operationSet ?? fileFormat.name
    }
  }
}
