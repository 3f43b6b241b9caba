// Fovea - why a model cannot be loaded or run, with the codes of the framework.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaRuntime
package import FoveaVision

public let MLModelErrorDomain = "com.apple.CoreML"

/// Why a model cannot be loaded or run. The description says what was found and what to do.
public struct MLModelError: CustomNSError, LocalizedError, Hashable, Sendable {
  public enum Code: Int, Sendable {
    case generic = 0
    case featureType = 1
    case io = 3
    case customLayer = 4
    case customModel = 5
    case update = 6
    case parameters = 7
    case modelDecryptionKeyFetch = 8
    case modelDecryption = 9
    case modelCollection = 10
    case predictionCancelled = 11
  }

  public let code: Code
  private let message: String

  package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  public static var errorDomain: String { MLModelErrorDomain }
  public static var generic: Code { .generic }
  public static var featureType: Code { .featureType }
  public static var io: Code { .io }
  public static var parameters: Code { .parameters }
  public static var predictionCancelled: Code { .predictionCancelled }

  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var errorDescription: String? { message }
  public var localizedDescription: String { message }

  package init(_ error: FoveaError) {
    self.init(error.code == .file ? .io : .generic, error.message)
  }

  package init(_ error: DetectionError) {
    switch error {
    case .runtime(let error): self.init(error)
    case .cancelled: self.init(.predictionCancelled, error.description)
    default: self.init(.generic, error.description)
    }
  }
}
