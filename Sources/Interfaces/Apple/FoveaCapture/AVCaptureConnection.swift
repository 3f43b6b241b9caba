// Fovea - what stands between an input and an output.
// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import FoveaVideo

public enum AVCaptureVideoOrientation: Int, Sendable {
  case portrait = 1
  case portraitUpsideDown, landscapeRight, landscapeLeft
}

public enum AVCaptureVideoStabilizationMode: Int, Sendable {
  case off, standard, cinematic
  case auto = -1
}

/// What gives frames to a session.
open class AVCaptureInput: NSObject {
  /// A stream of an input.
  public final class Port: NSObject {
    public unowned let input: AVCaptureInput
    public let mediaType = AVMediaType.video

    init(_ input: AVCaptureInput) { self.input = input }
  }

  public fileprivate(set) lazy var ports: [Port] = [Port(self)]

  override init() { super.init() }
}

/// A camera that gives frames to a session.
public final class AVCaptureDeviceInput: AVCaptureInput {
  public let device: AVCaptureDevice

  /// Takes a camera.
  ///
  /// - Throws: `AVError.deviceNotConnected` where there is no such file or camera.
  public init(device: AVCaptureDevice) throws {
    switch device.source {
    case .file(let path), .camera(let path):
      guard FileManager.default.isReadableFile(atPath: path) else {
        throw AVError(.deviceNotConnected, "\(path) cannot be read")
      }
    default: break
    }
    self.device = device
  }
}

/// What stands between an input and an output, and how frames are changed there.
///
/// Frames come upright, as the source says: a video that stands for a camera needs no turning, and
/// `videoOrientation` only keeps what it is told.
open class AVCaptureConnection: NSObject {
  public let inputPorts: [AVCaptureInput.Port]
  public private(set) weak var output: AVCaptureOutput?
  public private(set) weak var videoPreviewLayer: AVCaptureVideoPreviewLayer?
  private let lock = NSLock()
  private var enabled = true
  private var mirrored = false
  open var videoOrientation = AVCaptureVideoOrientation.portrait
  open var videoRotationAngle: CGFloat = 0
  open var automaticallyAdjustsVideoMirroring = false
  open var preferredVideoStabilizationMode = AVCaptureVideoStabilizationMode.off
  /// Whether samples shall carry the camera's matrix, which no source of Linux states.
  open var isCameraIntrinsicMatrixDeliveryEnabled = false

  public init(inputPorts ports: [AVCaptureInput.Port], output: AVCaptureOutput) {
    inputPorts = ports
    self.output = output
  }

  public init(inputPort port: AVCaptureInput.Port, videoPreviewLayer: AVCaptureVideoPreviewLayer) {
    inputPorts = [port]
    self.videoPreviewLayer = videoPreviewLayer
  }

  /// Whether frames pass.
  open var isEnabled: Bool {
    get { lock.withLock { enabled } }
    set { lock.withLock { enabled = newValue } }
  }

  /// Whether frames are mirrored left to right.
  open var isVideoMirrored: Bool {
    get { lock.withLock { mirrored } }
    set { lock.withLock { mirrored = newValue } }
  }

  open var isActive: Bool { isEnabled }
  open var isVideoOrientationSupported: Bool { true }
  open var isVideoMirroringSupported: Bool { true }
  open var isVideoStabilizationSupported: Bool { false }
  open var isCameraIntrinsicMatrixDeliverySupported: Bool { false }

  open func isVideoRotationAngleSupported(_ angle: CGFloat) -> Bool {
    angle.truncatingRemainder(dividingBy: 90) == 0
  }
}
