// Fovea - names in programs of TensorFlow Lite.
// SPDX-License-Identifier: Apache-2.0

/// Names in programs of TensorFlow Lite.
package enum TensorFlowLiteNames {
  /// The first word of the operation set; its number follows.
  package static let operationSet = "TensorFlow Lite"
  /// The scale of the codes of a result.
  package static func scale(ofResult index: Int) -> String { "scale of result \(index)" }
  /// The zero point of the codes of a result.
  package static func zeroPoint(ofResult index: Int) -> String { "zero point of result \(index)" }
  /// What a constant of codes has beside its elements.
  package static let scales = "scale"
  /// The zero points of a constant of codes.
  package static let zeroPoints = "zero_point"
  /// The axis along which the codes of a constant have scales of their own.
  package static let axis = "axis"
  /// The operation that decodes and suppresses boxes.
  package static let detection = "TFLite_Detection_PostProcess"
  /// A transposed convolution with biases, as MediaPipe writes it.
  package static let transposedConvolution = "Convolution2DTransposeBias"
}
