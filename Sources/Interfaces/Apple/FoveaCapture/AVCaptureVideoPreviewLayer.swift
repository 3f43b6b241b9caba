// Fovea - a layer that shows what a camera sees.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
public import FoveaQuartzCore
public import Foundation
internal import FoveaGeometry
internal import FoveaVideo

/// The layers that show the frames of a session, and the newest frame.
final class PreviewList: @unchecked Sendable {  // because a lock holds what changes
  private let lock = NSLock()
  private var newest: VideoFrame?

  func show(_ frame: VideoFrame) { lock.withLock { newest = frame } }

  var frame: VideoFrame? { lock.withLock { newest } }
}

/// The lowest layer of a preview, whose contents are the newest frame.
private final class FrameLayer: CALayer {
  override var contents: Any? {
    get { (superlayer as? AVCaptureVideoPreviewLayer)?.picture }
    set { super.contents = newValue }
  }
}

/// A layer that shows the newest frame of a session when it is drawn.
///
/// Its first sublayer is the frame; programs that remove the others begin at the second.
open class AVCaptureVideoPreviewLayer: CALayer {
  /// The session whose frames are shown.
  open var session: AVCaptureSession? {
    didSet { if session !== oldValue { joined = nil } }
  }
  /// How frames are laid into the layer.
  open var videoGravity = AVLayerVideoGravity.resizeAspect {
    didSet {
      frameLayer.contentsGravity =
        switch videoGravity {
        case .resizeAspectFill: .resizeAspectFill
        case .resize: .resize
        default: .resizeAspect
        }
    }
  }
  private let frameLayer = FrameLayer()
  private var joined: AVCaptureConnection?
  private var shown: (index: Int, image: CGImage)?

  public override init() {
    super.init()
    prepare()
  }

  public convenience init(session: AVCaptureSession) {
    self.init()
    self.session = session
  }

  public convenience init(sessionWithNoConnection session: AVCaptureSession) {
    self.init(session: session)
  }

  public override init(layer: Any) {
    super.init(layer: layer)
    prepare()
    guard let other = layer as? AVCaptureVideoPreviewLayer else { return }
    (session, videoGravity) = (other.session, other.videoGravity)
  }

  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    prepare()
  }

  private func prepare() {
    masksToBounds = true
    frameLayer.masksToBounds = true
    frameLayer.contentsGravity = .resizeAspect
    frameLayer.frame = bounds
    addSublayer(frameLayer)
  }

  open override var bounds: CGRect {
    didSet { frameLayer.frame = bounds }
  }

  /// The connection with the session's camera; `nil` where there is none.
  open var connection: AVCaptureConnection? {
    if joined == nil, let port = session?.inputs.first?.ports.first {
      joined = AVCaptureConnection(inputPort: port, videoPreviewLayer: self)
    }
    return joined
  }

  /// The newest frame, upright.
  fileprivate var picture: CGImage? {
    guard connection?.isEnabled ?? true, let frame = session?.previews.frame else { return nil }
    let isMirrored = connection?.isVideoMirrored ?? false
    let index = 2 * frame.index + (isMirrored ? 1 : 0)
    if let shown, shown.index == index { return shown.image }
    let turned = isMirrored ? frame.orientation.mirrored : frame.orientation
    guard
      let buffer = FramePixels(format: kCVPixelFormatType_32BGRA).buffer(of: frame, turned: turned),
      let image = CIContext().createCGImage(
        CIImage(cvPixelBuffer: buffer),
        from: CGRect(x: 0, y: 0, width: buffer.columns, height: buffer.rows))
    else { return nil }
    shown = (index, image)
    return image
  }

  // MARK: Coordinates

  /// Where frames lie in the layer; the bounds where none has come.
  private var place: CGRect {
    guard let frame = session?.previews.frame, videoGravity != .resize else { return bounds }
    let size = frame.orientation.uprightSize(of: frame.size)
    let (width, height) = (CGFloat(size.width), CGFloat(size.height))
    let (x, y) = (bounds.width / width, bounds.height / height)
    let factor = videoGravity == .resizeAspectFill ? max(x, y) : min(x, y)
    return CGRect(
      x: bounds.midX - width * factor / 2, y: bounds.midY - height * factor / 2,
      width: width * factor, height: height * factor)
  }

  /// A rectangle of the frame, as fractions from its upper left, in the layer.
  open func layerRectConverted(fromMetadataOutputRect rect: CGRect) -> CGRect {
    let place = place
    return CGRect(
      x: place.minX + rect.minX * place.width, y: place.minY + rect.minY * place.height,
      width: rect.width * place.width, height: rect.height * place.height)
  }

  open func metadataOutputRectConverted(fromLayerRect rect: CGRect) -> CGRect {
    let place = place
    guard place.width > 0, place.height > 0 else { return .zero }
    return CGRect(
      x: (rect.minX - place.minX) / place.width, y: (rect.minY - place.minY) / place.height,
      width: rect.width / place.width, height: rect.height / place.height)
  }

  open func layerPointConverted(fromCaptureDevicePoint point: CGPoint) -> CGPoint {
    layerRectConverted(fromMetadataOutputRect: CGRect(origin: point, size: .zero)).origin
  }

  open func captureDevicePointConverted(fromLayerPoint point: CGPoint) -> CGPoint {
    metadataOutputRectConverted(fromLayerRect: CGRect(origin: point, size: .zero)).origin
  }
}
