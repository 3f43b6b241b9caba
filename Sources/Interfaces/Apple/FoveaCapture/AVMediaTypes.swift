// Fovea - names of cameras and films.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

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

public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

extension Notification.Name {
  public static let AVCaptureSessionDidStartRunning = Self("AVCaptureSessionDidStartRunning")
  /// Also posted at the end of a file, when the last delegate has returned.
  public static let AVCaptureSessionDidStopRunning = Self("AVCaptureSessionDidStopRunning")
  public static let AVCaptureSessionRuntimeError = Self("AVCaptureSessionRuntimeError")
}
