// Fovea - why a model cannot be loaded or run, with the codes of the framework.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaRuntime
package import FoveaVision

public let MLModelErrorDomain = "com.apple.CoreML"

/// Why a model cannot be loaded or run. The description says what was found and what to do.
///
/// Errors of the framework are caught as `NSError`, too. Only a subclass is that on Linux, so `code` is
/// a number or a name, as the place expects it.
public final class MLModelError: NSError, CodedError, @unchecked Sendable {  // nothing changes
  public enum Code: Int, ErrorCode {
    public typealias CodedFailure = MLModelError

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

  public static var errorDomain: String { MLModelErrorDomain }
  public static var generic: Code { .generic }
  public static var featureType: Code { .featureType }
  public static var io: Code { .io }
  public static var parameters: Code { .parameters }
  public static var predictionCancelled: Code { .predictionCancelled }

  package init(_ code: Code, _ message: String) {
    super.init(
      domain: MLModelErrorDomain, code: code.rawValue,
      userInfo: [NSLocalizedDescriptionKey: message])
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  package convenience init(_ error: FoveaError) {
    self.init(error.code == .file ? .io : .generic, error.message)
  }

  package convenience init(_ error: DetectionError) {
    switch error {
    case .runtime(let error): self.init(error)
    case .cancelled: self.init(.predictionCancelled, error.description)
    default: self.init(.generic, error.description)
    }
  }
}
