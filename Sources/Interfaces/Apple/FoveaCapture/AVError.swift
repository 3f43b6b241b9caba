// Fovea - why a camera or a film cannot be used.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation
internal import FoveaVideo

public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// Why a camera or a film cannot be used. It is an `NSError`, so that both `catch let error as
/// AVError` and `catch let error as NSError` catch it.
public final class AVError: NSError, CodedError, @unchecked Sendable {  // nothing of it changes
  public enum Code: Int, ErrorCode {
    public typealias CodedFailure = AVError

    case unknown = -11800
    case outOfMemory = -11801
    case sessionNotRunning = -11803
    case deviceNotConnected = -11814
    case deviceInUseByAnotherApplication = -11815
    case mediaServicesWereReset = -11819
    case decodeFailed = -11821
    case invalidSourceMedia = -11822
    case fileFormatNotRecognized = -11828
    case noImageAtTime = -11832
    case decoderNotFound = -11833
    case invalidVideoComposition = -11841
    case operationInterrupted = -11847
    case applicationIsNotAuthorizedToUseDevice = -11852
    case operationNotAllowed = -11862
  }

  public static var errorDomain: String { AVFoundationErrorDomain }
  public static var unknown: Code { .unknown }
  public static var outOfMemory: Code { .outOfMemory }
  public static var sessionNotRunning: Code { .sessionNotRunning }
  public static var deviceNotConnected: Code { .deviceNotConnected }
  public static var mediaServicesWereReset: Code { .mediaServicesWereReset }
  public static var decodeFailed: Code { .decodeFailed }
  public static var fileFormatNotRecognized: Code { .fileFormatNotRecognized }
  public static var noImageAtTime: Code { .noImageAtTime }
  public static var decoderNotFound: Code { .decoderNotFound }
  public static var operationInterrupted: Code { .operationInterrupted }
  public static var operationNotAllowed: Code { .operationNotAllowed }

  public convenience init(_ code: Code) { self.init(code, "\(code)") }

  init(_ code: Code, _ words: String) {
    super.init(
      domain: AVFoundationErrorDomain, code: code.rawValue,
      userInfo: [NSLocalizedDescriptionKey: words])
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// What the reader of videos says.
  convenience init(_ error: VideoError) {
    let code: Code =
      switch error.reason {
      case .missing, .camera: .deviceNotConnected
      case .unsupportedCodec, .libraryUnavailable, .libraryVersion, .traitDisabled:
        .decoderNotFound
      case .notAVideo, .noVideoStream, .emptyFile, .gitLFSPointer: .fileFormatNotRecognized
      case .outOfMemory: .outOfMemory
      case .cancelled: .operationInterrupted
      default: .unknown
      }
    self.init(code, "\(error)")
  }
}
