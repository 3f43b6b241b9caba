// Fovea - a camera at work.
// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import FoveaGeometry
internal import FoveaVideo

/// Joins a camera with those who look at its frames.
public final class AVCaptureSession: NSObject, @unchecked Sendable {  // because a lock holds it
  public struct Preset: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let high = Self(rawValue: "AVCaptureSessionPresetHigh")
    public static let medium = Self(rawValue: "AVCaptureSessionPresetMedium")
    public static let low = Self(rawValue: "AVCaptureSessionPresetLow")
    public static let photo = Self(rawValue: "AVCaptureSessionPresetPhoto")
    public static let inputPriority = Self(rawValue: "AVCaptureSessionPresetInputPriority")
    public static let cif352x288 = Self(rawValue: "AVCaptureSessionPreset352x288")
    public static let vga640x480 = Self(rawValue: "AVCaptureSessionPreset640x480")
    public static let iFrame960x540 = Self(rawValue: "AVCaptureSessionPresetiFrame960x540")
    public static let iFrame1280x720 = Self(rawValue: "AVCaptureSessionPresetiFrame1280x720")
    public static let hd1280x720 = Self(rawValue: "AVCaptureSessionPreset1280x720")
    public static let hd1920x1080 = Self(rawValue: "AVCaptureSessionPreset1920x1080")
    public static let hd4K3840x2160 = Self(rawValue: "AVCaptureSessionPreset3840x2160")

    /// The size of the frames; `nil` for that of the source.
    var size: ImageSize? {
      switch self {
      case .cif352x288: ImageSize(width: 352, height: 288)
      case .vga640x480: ImageSize(width: 640, height: 480)
      case .iFrame960x540: ImageSize(width: 960, height: 540)
      case .hd1280x720, .iFrame1280x720: ImageSize(width: 1280, height: 720)
      case .hd1920x1080: ImageSize(width: 1920, height: 1080)
      case .hd4K3840x2160: ImageSize(width: 3840, height: 2160)
      default: nil
      }
    }
  }

  private struct State {
    var preset = Preset.high
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []
    var running: CaptureThread?
  }

  private let lock = NSRecursiveLock()
  private var state = State()
  /// Who shows the frames.
  let previews = PreviewList()

  public override init() { super.init() }

  deinit { state.running?.cancel() }

  /// The size of the frames: those of a preset with one fill it, and lose what lies beyond on two
  /// sides.
  public var sessionPreset: Preset {
    get { lock.withLock { state.preset } }
    set { lock.withLock { state.preset = newValue } }
  }

  public func canSetSessionPreset(_ preset: Preset) -> Bool { true }

  // MARK: Inputs and outputs

  public var inputs: [AVCaptureInput] { lock.withLock { state.inputs } }
  public var outputs: [AVCaptureOutput] { lock.withLock { state.outputs } }
  public var connections: [AVCaptureConnection] { outputs.flatMap(\.connections) }

  /// One camera at a time.
  public func canAddInput(_ input: AVCaptureInput) -> Bool {
    lock.withLock { state.inputs.isEmpty && input is AVCaptureDeviceInput }
  }

  public func addInput(_ input: AVCaptureInput) {
    lock.withLock {
      guard canAddInput(input) else { return }
      state.inputs.append(input)
      join()
    }
  }

  public func removeInput(_ input: AVCaptureInput) {
    lock.withLock {
      state.inputs.removeAll { $0 === input }
      for output in state.outputs { output.connection = nil }
      join()
    }
  }

  public func canAddOutput(_ output: AVCaptureOutput) -> Bool {
    lock.withLock { !state.outputs.contains(output) }
  }

  public func addOutput(_ output: AVCaptureOutput) {
    lock.withLock {
      guard canAddOutput(output) else { return }
      state.outputs.append(output)
      join()
    }
  }

  public func removeOutput(_ output: AVCaptureOutput) {
    lock.withLock {
      state.outputs.removeAll { $0 === output }
      output.connection = nil
      join()
    }
  }

  /// Connects outputs that are not yet, and tells the thread at work.
  private func join() {
    let ports = state.inputs.first?.ports ?? []
    if !ports.isEmpty {
      for output in state.outputs where output.connection == nil {
        output.connection = AVCaptureConnection(inputPorts: ports, output: output)
      }
    }
    state.running?.outputs = state.outputs.compactMap { $0 as? AVCaptureVideoDataOutput }
  }

  /// Begins changes that belong together. Each holds at once.
  public func beginConfiguration() {}

  public func commitConfiguration() {}

  // MARK: Running

  /// Whether frames come. It ends with the file that stands for a camera.
  public var isRunning: Bool { lock.withLock { state.running?.isRunning ?? false } }

  /// Opens the camera. What goes wrong is posted as `AVCaptureSessionRuntimeError`.
  public func startRunning() {
    let started: CaptureThread? = lock.withLock {
      guard !(state.running?.isRunning ?? false),
        let device = (state.inputs.first as? AVCaptureDeviceInput)?.device
      else { return nil }
      let thread = CaptureThread(
        device, size: state.preset.size, previews: previews, session: self)
      state.running = thread
      join()
      return thread
    }
    started?.start()
  }

  /// Ends the work, and returns when no further frame is handed over.
  public func stopRunning() { lock.withLock { state.running }?.stop() }
}
