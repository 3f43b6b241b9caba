// Fovea - what can be run of each format.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLowering
internal import FoveaModelFormat

/// The layers and operations of the formats, which the documentation lists.
package enum OperationLists {
  /// The names below each heading of the documentation. A new translator adds a line.
  package static let all: [(heading: String, names: [String])] = [
    ("Operations of programs", OperationTable.kinds),
    ("Operations of ONNX", ONNXTranslator.kinds),
    ("Layers of Darknet", DarknetLayerKind.names + DarknetActivation.names),
  ]
}
