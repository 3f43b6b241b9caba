// Fovea - why a request failed, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
internal import FoveaAppleVision

/// Why a request failed. Each has a text that says what was expected.
public enum VisionError: Error, Hashable, Sendable {
  case dataUnavailable(String)
  case internalError(String)
  case invalidArgument(String)
  case invalidFormat(String)
  case invalidImage(String)
  case invalidModel(String)
  case invalidOperation(String)
  case ioError(String)
  case operationFailed(String)
  case outOfBoundsError(String)
  case outOfMemory(String)
  case pixelBufferCreationFailed(CVReturn)
  case requestCancelled(String)
  case timeStampNotFound(String)
  case timeout(String)
  case unsupportedComputeDevice(String)
  case unsupportedComputeStage(String)
  case unsupportedRequest(String)
  case unsupportedRevision(String)

  /// What `body` makes, or its error by these names.
  static func named<Made>(_ body: () throws -> Made) throws(VisionError) -> Made {
    do {
      return try body()
    } catch {
      throw VisionError(translating: error)
    }
  }

  /// What any cause is by these names.
  package init(translating error: any Error) {
    if let error = error as? VisionError {
      self = error
      return
    }
    let failure = VisionFailure(error)
    let text = failure.message
    self =
      switch failure.code {
      case .dataUnavailable: .dataUnavailable(text)
      case .invalidArgument, .invalidOption, .missingOption: .invalidArgument(text)
      case .invalidFormat: .invalidFormat(text)
      case .invalidImage: .invalidImage(text)
      case .invalidModel: .invalidModel(text)
      case .invalidOperation: .invalidOperation(text)
      case .ioError: .ioError(text)
      case .outOfBoundsError: .outOfBoundsError(text)
      case .outOfMemory: .outOfMemory(text)
      case .requestCancelled: .requestCancelled(text)
      case .timeStampNotFound: .timeStampNotFound(text)
      case .timeout: .timeout(text)
      case .unsupportedComputeDevice: .unsupportedComputeDevice(text)
      case .unsupportedComputeStage: .unsupportedComputeStage(text)
      case .unsupportedRequest, .notImplemented: .unsupportedRequest(text)
      case .unsupportedRevision: .unsupportedRevision(text)
      case .OK, .internalError, .turiCoreErrorCode: .internalError(text)
      case .operationFailed, .unknownError: .operationFailed(text)
      }
  }
}

extension VisionError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .dataUnavailable(let text), .internalError(let text), .invalidArgument(let text),
      .invalidFormat(let text), .invalidImage(let text), .invalidModel(let text),
      .invalidOperation(let text), .ioError(let text), .operationFailed(let text),
      .outOfBoundsError(let text), .outOfMemory(let text), .requestCancelled(let text),
      .timeStampNotFound(let text), .timeout(let text), .unsupportedComputeDevice(let text),
      .unsupportedComputeStage(let text), .unsupportedRequest(let text),
      .unsupportedRevision(let text):
      text
    case .pixelBufferCreationFailed(let code): "no pixel buffer could be made: \(code)"
    }
  }
}
