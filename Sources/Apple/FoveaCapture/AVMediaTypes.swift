// Fovea - names and errors of cameras and films.
// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import FoveaVideo

public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let video = AVMediaType(rawValue: "vide")
  public static let audio = AVMediaType(rawValue: "soun")
  public static let text = AVMediaType(rawValue: "text")
  public static let metadata = AVMediaType(rawValue: "meta")
}

/// How a picture is laid into a layer.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let resize = Self(rawValue: "AVLayerVideoGravityResize")
  public static let resizeAspect = Self(rawValue: "AVLayerVideoGravityResizeAspect")
  public static let resizeAspectFill = Self(rawValue: "AVLayerVideoGravityResizeAspectFill")
}

/// The largest rectangle of an aspect ratio in the middle of another.
public func AVMakeRect(aspectRatio: CGSize, insideRect boundingRect: CGRect) -> CGRect {
  guard aspectRatio.width > 0, aspectRatio.height > 0 else { return boundingRect }
  let factor = min(
    boundingRect.width / aspectRatio.width, boundingRect.height / aspectRatio.height)
  let (width, height) = (aspectRatio.width * factor, aspectRatio.height * factor)
  return CGRect(
    x: boundingRect.midX - width / 2, y: boundingRect.midY - height / 2, width: width,
    height: height)
}

public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

extension Notification.Name {
  public static let AVCaptureSessionDidStartRunning = Self("AVCaptureSessionDidStartRunning")
  /// Also posted at the end of a file, when the last delegate has returned.
  public static let AVCaptureSessionDidStopRunning = Self("AVCaptureSessionDidStopRunning")
  public static let AVCaptureSessionRuntimeError = Self("AVCaptureSessionRuntimeError")
}

/// Why a camera or a film cannot be used.
public struct AVError: Error, Hashable, LocalizedError, CustomNSError, Sendable {
  public enum Code: Int, Sendable {
    case unknown = -11800
    case outOfMemory = -11801
    case sessionNotRunning = -11803
    case deviceNotConnected = -11814
    case decodeFailed = -11821
    case fileFormatNotRecognized = -11828
    case decoderNotFound = -11833
    case noImageAtTime = -11832
    case operationNotAllowed = -11862
    case invalidVideoComposition = -11841
    case deviceInUseByAnotherApplication = -11815
    case invalidSourceMedia = -11822
    case operationInterrupted = -11847
  }

  public let code: Code
  private let words: String

  public init(_ code: Code) { self.init(code, "") }

  init(_ code: Code, _ words: String) { (self.code, self.words) = (code, words) }

  /// What the reader of videos says.
  init(_ error: VideoError) {
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

  public static var errorDomain: String { AVFoundationErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
  public var errorDescription: String? { words.isEmpty ? "\(code)" : words }
}
