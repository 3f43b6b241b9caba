// Fovea - cameras, and videos that stand for one.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation
internal import FoveaGeometry
package import FoveaVideo

/// A camera of Linux, or the video that the environment variable `FOVEA_CAMERA` names.
///
/// The variable holds what `fovea watch` takes: a file, which plays at its own pace, an address of a
/// stream, `camera:1` or `/dev/video1`. Without it the cameras of the system are found.
public final class AVCaptureDevice: NSObject {
  public struct DeviceType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let builtInWideAngleCamera = Self(rawValue: "WideAngleCamera")
    public static let builtInUltraWideCamera = Self(rawValue: "UltraWideCamera")
    public static let builtInTelephotoCamera = Self(rawValue: "TelephotoCamera")
    public static let builtInDualCamera = Self(rawValue: "DualCamera")
    public static let builtInDualWideCamera = Self(rawValue: "DualWideCamera")
    public static let builtInTripleCamera = Self(rawValue: "TripleCamera")
    public static let builtInTrueDepthCamera = Self(rawValue: "TrueDepthCamera")
    public static let external = Self(rawValue: "External")
    public static let externalUnknown = Self(rawValue: "ExternalUnknown")
  }

  public enum Position: Int, Sendable {
    case unspecified, back, front
  }

  public enum FocusMode: Int, Sendable {
    case locked, autoFocus, continuousAutoFocus
  }

  public enum ExposureMode: Int, Sendable {
    case locked, autoExpose, continuousAutoExposure, custom
  }

  /// The size and the rate of frames.
  public final class Format: NSObject {
    public let formatDescription: CMFormatDescription
    public let videoSupportedFrameRateRanges: [AVFrameRateRange]

    init(_ description: VideoDescription) {
      formatDescription = CMFormatDescription(
        dimensions: CMVideoDimensions(
          width: Int32(clamping: description.size.width),
          height: Int32(clamping: description.size.height)),
        subtype: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
      videoSupportedFrameRateRanges = description.frameRate.map { [AVFrameRateRange($0)] } ?? []
    }
  }

  let source: VideoSource
  public let uniqueID: String
  public let localizedName: String
  public let position: Position
  public let deviceType: DeviceType
  private var known: Format?

  /// A device over a source of videos.
  package init(
    _ source: VideoSource, type: DeviceType = .builtInWideAngleCamera, position: Position = .back
  ) {
    (self.source, deviceType, self.position) = (source, type, position)
    uniqueID = source.name
    localizedName = (source.name as NSString).lastPathComponent
  }

  /// The frames as the source describes them; opens it once.
  public var activeFormat: Format {
    get {
      if let known { return known }
      let format = Format((try? source.open())?.description ?? VideoDescription())
      known = format
      return format
    }
    set { known = newValue }
  }

  public var formats: [Format] { [activeFormat] }
  /// The least time between frames; a camera is asked for it.
  public var activeVideoMinFrameDuration = CMTime.invalid
  public var activeVideoMaxFrameDuration = CMTime.invalid
  public var isConnected: Bool { true }
  public var hasTorch: Bool { false }
  public var hasFlash: Bool { false }
  public var videoZoomFactor: CGFloat { 1 }

  public func isFocusModeSupported(_ focusMode: FocusMode) -> Bool { false }
  public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool { false }
  public func hasMediaType(_ mediaType: AVMediaType) -> Bool { mediaType == .video }
  public func lockForConfiguration() throws {}
  public func unlockForConfiguration() {}

  // MARK: Finding devices

  /// The sources that there are: that of the environment, or the cameras of the system.
  static func sources() -> [VideoSource] {
    if let name = ProcessInfo.processInfo.environment["FOVEA_CAMERA"], !name.isEmpty {
      return (try? VideoSource(named: name)).map { [$0] } ?? []
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []
    return names.compactMap { $0.hasPrefix("video") ? Int($0.dropFirst(5)) : nil }.sorted()
      .map { .camera("/dev/video\($0)") }
  }

  public class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
    mediaType == .video ? sources().first.map { AVCaptureDevice($0) } : nil
  }

  /// The first camera, whatever kind and place are asked for.
  public class func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? {
    guard mediaType == nil || mediaType == .video else { return nil }
    return sources().first.map { AVCaptureDevice($0, type: deviceType, position: position) }
  }

  public class func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
    mediaType == .video ? sources().map { AVCaptureDevice($0) } : []
  }

  public class func devices() -> [AVCaptureDevice] { devices(for: .video) }

  public convenience init?(uniqueID deviceUniqueID: String) {
    guard let source = Self.sources().first(where: { $0.name == deviceUniqueID }) else {
      return nil
    }
    self.init(source)
  }

  /// All cameras that there are.
  public final class DiscoverySession: NSObject {
    public let devices: [AVCaptureDevice]

    public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
      let isVideo = mediaType == nil || mediaType == .video
      devices =
        isVideo
        ? AVCaptureDevice.sources().map { source in
          AVCaptureDevice(
            source, type: deviceTypes.first ?? .builtInWideAngleCamera, position: position)
        } : []
    }
  }
}

/// A rate of frames.
public final class AVFrameRateRange: NSObject {
  public let minFrameRate: Double
  public let maxFrameRate: Double

  init(_ rate: Double) { (minFrameRate, maxFrameRate) = (rate, rate) }
}

public enum AVAuthorizationStatus: Int, Sendable {
  case notDetermined, restricted, denied, authorized
}

extension AVCaptureDevice {
  /// Files say who may read them; nobody is asked.
  public class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    .authorized
  }

  public class func requestAccess(
    for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
  ) { handler(true) }

  public class func requestAccess(for mediaType: AVMediaType) async -> Bool { true }
}
