// Fovea - why a model cannot be quantized.
// SPDX-License-Identifier: Apache-2.0
public import FoveaModelFormat
public import FoveaRuntime

/// The reason why a model cannot be quantized.
public enum QuantizationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no file, or one that is no `.mlmodel`; the message names it.
  case file(FoveaError)
  /// The file cannot be read, in the reader's words.
  case unreadable(ModelFormatError)
  /// The options contradict themselves or the model, or the model is an ML Program.
  case invalidOptions(String)
  /// The model has codes for weights already. Codes of codes lose twice: the model it was made
  /// from is wanted.
  case alreadyQuantized(layer: String)
  /// Weights are not finite.
  case notFinite(layer: String)
  /// No choice of bits makes the file as small as was asked for.
  case tooLarge(smallest: Int, budget: Int)
  /// The network cannot be run for its activations.
  case calibration(String)

  /// One line that says what is wrong and what to do.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .unreadable(let error): error.description
    case .invalidOptions(let text): text
    case .alreadyQuantized(let layer):
      "layer '\(layer)' has codes for weights already; quantize the model in float32 or float16"
    case .notFinite(let layer): "layer '\(layer)' has weights that are no numbers"
    case .tooLarge(let smallest, let budget):
      "the smallest file has \(smallest) bytes, and \(budget) are asked for"
    case .calibration(let text): text
    }
  }
}
