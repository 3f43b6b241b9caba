// Fovea - why a model cannot be loaded or run.
// SPDX-License-Identifier: Apache-2.0
package import FoveaModelValues

/// The reason why a model cannot be loaded or run.
///
/// The message says what was found, what was expected and what to do.
public struct FoveaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause.
  public var code: Code
  /// What was found, what was expected and what to do.
  public var message: String
  /// The error of the file reader, if the file is at fault.
  package var formatError: ModelFormatError?

  /// The cause of a failure. More causes may be added: compare them with `==`, or have a `default`.
  public enum Code: String, Sendable, Hashable {
    /// A value is outside its range, or a name does not exist.
    case invalidArgument
    /// The model is valid, but not supported.
    case unsupported
    /// Shapes do not fit each other or the operation.
    case shapeMismatch
    /// Weights do not fit their description.
    case invalidWeights
    /// A size does not fit into the machine's integers.
    case overflow
    /// A graph has no outputs, or an unknown value.
    case invalidGraph
    /// The system has no more memory.
    case outOfMemory
    /// A buffer is too small.
    case bufferTooSmall
    /// The system refused to start a thread.
    case threadFailure
    /// A file cannot be opened, read or written.
    case file
    /// The bytes are not a valid model.
    case invalidModel
  }

  /// Creates an error.
  package init(_ code: Code, _ message: String, formatError: ModelFormatError? = nil) {
    self.code = code
    self.message = message
    self.formatError = formatError
  }

  /// The message.
  public var description: String { message }

  /// The same error with the place where it happened before the message.
  package func prefixed(by place: String) -> FoveaError {
    FoveaError(code, place + ": " + message, formatError: formatError)
  }
}

extension FoveaError {
  /// An error of the file reader, seen as an error of this module.
  package init(_ error: ModelFormatError) {
    let code: Code =
      switch error.code {
      case .unsupportedVersion, .unsupportedModelType, .unsupportedLayer: .unsupported
      case .invalidWeights: .invalidWeights
      default: .invalidModel
      }
    self.init(code, error.description, formatError: error)
  }
}

extension FoveaError {
  /// What to do about a file whose numbers contradict each other.
  package static let damaged = "the file is damaged or was exported wrongly; export the model again"
}
