// Fovea - why a model cannot be loaded or run.
// SPDX-License-Identifier: Apache-2.0
public import FoveaModelFormat

/// The reason why a model cannot be loaded or run.
///
/// The message says what was found, what was expected and what to do.
public struct FoveaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause.
  public var code: Code
  /// What was found, what was expected and what to do.
  public var message: String
  /// The error of the file reader, if the file is at fault.
  public var formatError: ModelFormatError?

  /// The cause of a failure. More causes may be added: compare them with `==`.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name of the cause, such as "shapeMismatch".
    public let rawValue: String

    /// Creates a cause from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A value is outside its range, or a name does not exist.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// The model is valid, but not supported.
    public static let unsupported = Code(rawValue: "unsupported")
    /// Shapes do not fit each other or the operation.
    public static let shapeMismatch = Code(rawValue: "shapeMismatch")
    /// Weights do not fit their description.
    public static let invalidWeights = Code(rawValue: "invalidWeights")
    /// A size does not fit into the machine's integers.
    public static let overflow = Code(rawValue: "overflow")
    /// A graph has no outputs, or an unknown value.
    public static let invalidGraph = Code(rawValue: "invalidGraph")
    /// The system has no more memory.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// A buffer is too small.
    public static let bufferTooSmall = Code(rawValue: "bufferTooSmall")
    /// The system refused to start a thread.
    public static let threadFailure = Code(rawValue: "threadFailure")
    /// A file cannot be opened, read or written.
    public static let file = Code(rawValue: "file")
    /// The bytes are not a valid model.
    public static let invalidModel = Code(rawValue: "invalidModel")
  }

  /// Creates an error.
  public init(_ code: Code, _ message: String, formatError: ModelFormatError? = nil) {
    self.code = code
    self.message = message
    self.formatError = formatError
  }

  /// The message.
  public var description: String { message }

  /// The same error with the place where it happened before the message.
  func prefixed(by place: String) -> FoveaError {
    FoveaError(code, place + ": " + message, formatError: formatError)
  }
}

extension FoveaError {
  /// An error of the file reader, seen as an error of this module.
  init(_ error: ModelFormatError) {
    let code: Code =
      switch error.code {
      case .unsupportedVersion, .unsupportedModelType, .unsupportedLayer: .unsupported
      case .invalidWeights: .invalidWeights
      default: .invalidModel
      }
    self.init(code, error.description, formatError: error)
  }
}
