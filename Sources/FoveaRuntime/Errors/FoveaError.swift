// Fovea - why a model cannot be loaded or run.
// SPDX-License-Identifier: Apache-2.0
public import FoveaModelFormat

/// Why a model cannot be loaded or run.
///
/// The message says what was found, what was expected and what to do.
public struct FoveaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The cause.
  public var code: Code
  /// What was found, what was expected and what to do about it.
  public var message: String
  /// What the reader of the model file said, where the file is at fault.
  public var formatError: ModelFormatError?

  /// The cause of a failure. More causes may be added; compare, do not switch exhaustively.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The cause's name, such as "shapeMismatch".
    public let rawValue: String

    /// Creates a cause from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A value outside its range, or a name that does not exist.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// Well-formed, but nothing here can run it.
    public static let unsupported = Code(rawValue: "unsupported")
    /// Shapes do not fit each other or the operation.
    public static let shapeMismatch = Code(rawValue: "shapeMismatch")
    /// Weights do not fit their description.
    public static let invalidWeights = Code(rawValue: "invalidWeights")
    /// A size does not fit into the machine's integers.
    public static let overflow = Code(rawValue: "overflow")
    /// A graph without outputs, or with an unknown value.
    public static let invalidGraph = Code(rawValue: "invalidGraph")
    /// The system has no memory left.
    public static let outOfMemory = Code(rawValue: "outOfMemory")
    /// Memory handed in is too small.
    public static let bufferTooSmall = Code(rawValue: "bufferTooSmall")
    /// The system refused to start a thread.
    public static let threadFailure = Code(rawValue: "threadFailure")
    /// A file cannot be opened, read or written.
    public static let file = Code(rawValue: "file")
    /// The bytes are no model that can be understood.
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
