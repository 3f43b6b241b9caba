// Fovea - contexts that count y from the top, and pictures of them.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation

/// The contexts of a thread; the last is the current one.
private enum ContextStack {
  struct Entry {
    var context: CGContext
    /// Pixels in a point.
    var scale: CGFloat
  }

  private static let key = "UIGraphics"

  static var entries: [Entry] {
    get { Thread.current.threadDictionary[key] as? [Entry] ?? [] }
    set { Thread.current.threadDictionary[key] = newValue }
  }
}

public func UIGraphicsGetCurrentContext() -> CGContext? { ContextStack.entries.last?.context }

public func UIGraphicsPushContext(_ context: CGContext) {
  ContextStack.entries.append(ContextStack.Entry(context: context, scale: 1))
}

public func UIGraphicsPopContext() { _ = ContextStack.entries.popLast() }

public func UIGraphicsBeginImageContext(_ size: CGSize) {
  UIGraphicsBeginImageContextWithOptions(size, false, 1)
}

/// Begins a picture.
///
/// - Parameter scale: Pixels in a point; 0 for those of the screen.
public func UIGraphicsBeginImageContextWithOptions(
  _ size: CGSize, _ opaque: Bool, _ scale: CGFloat
) {
  let scale = scale > 0 ? scale : ScreenSetting.current.scale
  guard let context = pointContext(size, opaque, scale) else { return }
  ContextStack.entries.append(ContextStack.Entry(context: context, scale: scale))
}

public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
  guard let last = ContextStack.entries.last, let image = last.context.makeImage() else {
    return nil
  }
  return UIImage(cgImage: image, scale: last.scale, orientation: .up)
}

public func UIGraphicsEndImageContext() { UIGraphicsPopContext() }

public func UIRectFill(_ rect: CGRect) { UIGraphicsGetCurrentContext()?.fill(rect) }

public func UIRectFrame(_ rect: CGRect) {
  UIGraphicsGetCurrentContext()?.stroke(rect.insetBy(dx: 0.5, dy: 0.5), width: 1)
}

/// Pixels whose points count from the upper left; `nil` for a size without sense.
private func pointContext(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) -> CGContext? {
  let (width, height) = (
    (size.width * scale).rounded(.up), (size.height * scale).rounded(.up)
  )
  guard width >= 1, height >= 1, width * height <= 268_435_456 else { return nil }
  let alpha: CGImageAlphaInfo = opaque ? .noneSkipLast : .premultipliedLast
  let context = CGContext(
    data: nil, width: Int(width), height: Int(height), bitsPerComponent: 8, bytesPerRow: 0,
    space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: alpha.rawValue)
  context?.translateBy(x: 0, y: height)
  context?.scaleBy(x: scale, y: -scale)
  return context
}

// MARK: Renderers

open class UIGraphicsRendererFormat: NSObject {
  open internal(set) var bounds = CGRect.zero

  public override init() { super.init() }
}

open class UIGraphicsImageRendererFormat: UIGraphicsRendererFormat {
  /// Pixels in a point.
  open var scale: CGFloat = ScreenSetting.current.scale
  open var opaque = false

  public class func `default`() -> UIGraphicsImageRendererFormat { .init() }

  public class func preferred() -> UIGraphicsImageRendererFormat { .init() }
}

open class UIGraphicsImageRendererContext: NSObject {
  public let cgContext: CGContext
  public let format: UIGraphicsImageRendererFormat

  fileprivate init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat) {
    (cgContext, self.format) = (context, format)
  }

  open var currentImage: UIImage {
    cgContext.makeImage().map { UIImage(cgImage: $0, scale: format.scale, orientation: .up) }
      ?? UIImage()
  }

  open func fill(_ rect: CGRect) { cgContext.fill(rect) }

  open func stroke(_ rect: CGRect) { cgContext.stroke(rect.insetBy(dx: 0.5, dy: 0.5), width: 1) }

  open func clip(to rect: CGRect) { cgContext.clip(to: rect) }
}

/// Makes pictures of what is drawn.
open class UIGraphicsImageRenderer: NSObject {
  public let format: UIGraphicsImageRendererFormat
  private let bounds: CGRect

  public convenience init(size: CGSize) {
    self.init(bounds: CGRect(origin: .zero, size: size), format: .default())
  }

  public convenience init(size: CGSize, format: UIGraphicsImageRendererFormat) {
    self.init(bounds: CGRect(origin: .zero, size: size), format: format)
  }

  public convenience init(bounds: CGRect) { self.init(bounds: bounds, format: .default()) }

  public init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
    (self.bounds, self.format) = (bounds, format)
    format.bounds = bounds
  }

  /// The picture that `actions` draw, in the current context too; one without pixels for a size
  /// without sense.
  open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
    guard let context = pointContext(bounds.size, format.opaque, format.scale) else {
      return UIImage()
    }
    context.translateBy(x: -bounds.minX, y: -bounds.minY)
    UIGraphicsPushContext(context)
    defer { UIGraphicsPopContext() }
    let rendering = UIGraphicsImageRendererContext(context, format)
    actions(rendering)
    return rendering.currentImage
  }

  open func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
    image(actions: actions).pngData() ?? Data()
  }

  open func jpegData(
    withCompressionQuality quality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
  ) -> Data { image(actions: actions).jpegData(compressionQuality: quality) ?? Data() }
}
