// Fovea - why a request failed, with the codes of the framework.
// SPDX-License-Identifier: Apache-2.0
internal import CoreML
package import FoveaApple
internal import FoveaFollowing
internal import FoveaImaging
internal import FoveaRuntime
internal import FoveaStills
internal import FoveaVision

public let VNErrorDomain = "com.apple.vis"

public enum VNErrorCode: Int, Sendable {
  case turiCoreErrorCode = -1
  case OK, requestCancelled, invalidFormat, operationFailed, outOfBoundsError, invalidOption
  case ioError, missingOption, notImplemented, internalError, outOfMemory, unknownError
  case invalidOperation, invalidImage, invalidArgument, invalidModel, unsupportedRevision
  case dataUnavailable, timeStampNotFound, unsupportedRequest, timeout, unsupportedComputeStage
  case unsupportedComputeDevice
}

/// Why a request failed; thrown as an error of `VNErrorDomain`.
package struct VisionFailure: Error, Hashable {
  package var code: VNErrorCode
  package var message: String

  package init(_ code: VNErrorCode, _ message: String) {
    (self.code, self.message) = (code, message)
  }

  /// The error that users see.
  package var nsError: NSError {
    NSError(
      domain: VNErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
  }

  /// What `body` makes, or its error as users see it.
  static func asNSError<Made>(_ body: () throws -> Made) throws -> Made {
    do {
      return try body()
    } catch {
      throw VisionFailure(error).nsError
    }
  }

  /// What the cause is in the codes of the framework.
  package init(_ error: any Error) {
    switch error {
    case let error as VisionFailure: self = error
    case let error as DetectionError: self.init(detection: error)
    case StillError.detection(let error): self.init(detection: error)
    case StillError.invalidRequest(let text): self.init(.invalidArgument, text)
    case StillError.unsuitableModel(let text): self.init(.invalidModel, text)
    case let error as StillError: self.init(.operationFailed, error.description)
    case FollowingError.image(let error): self.init(.invalidImage, error.description)
    case let error as FollowingError: self.init(.operationFailed, "\(error)")
    case let error as MLModelError:
      self.init(
        error.code == MLModelError.featureType.rawValue ? .invalidArgument : .operationFailed,
        error.localizedDescription)
    default: self.init(.unknownError, "\(error)")
    }
  }

  private init(detection error: DetectionError) {
    let code: VNErrorCode =
      switch error {
      case .image: .invalidImage
      case .runtime(let error): error.code == .outOfMemory ? .outOfMemory : .operationFailed
      case .unsuitableModel: .invalidModel
      case .invalidRequest: .invalidArgument
      case .invalidOutput: .operationFailed
      case .cancelled: .requestCancelled
      }
    self.init(code, error.description)
  }
}
