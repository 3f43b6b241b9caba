// Fovea - pictures, their scale and how they are turned.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import Foundation
internal import FoveaImaging

/// A picture, its pixels in a point, and how it is turned when it is shown.
open class UIImage: NSObject, @unchecked Sendable {  // because nothing of an image changes
  public enum Orientation: Int, Sendable {
    case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored

    init(_ orientation: CGImagePropertyOrientation) {
      switch orientation {
      case .up: self = .up
      case .down: self = .down
      case .left: self = .left
      case .right: self = .right
      case .upMirrored: self = .upMirrored
      case .downMirrored: self = .downMirrored
      case .leftMirrored: self = .leftMirrored
      case .rightMirrored: self = .rightMirrored
      }
    }

    var stored: CGImagePropertyOrientation {
      switch self {
      case .up: .up
      case .down: .down
      case .left: .left
      case .right: .right
      case .upMirrored: .upMirrored
      case .downMirrored: .downMirrored
      case .leftMirrored: .leftMirrored
      case .rightMirrored: .rightMirrored
      }
    }
  }

  /// The pixels as they are stored; `nil` for a recipe.
  public let cgImage: CGImage?
  public let ciImage: CIImage?
  public let scale: CGFloat
  public let imageOrientation: Orientation

  private init(_ image: CGImage?, _ recipe: CIImage?, _ scale: CGFloat, _ turned: Orientation) {
    (cgImage, ciImage, self.scale, imageOrientation) = (image, recipe, scale, turned)
  }

  /// An image without pixels.
  public override convenience init() { self.init(nil, nil, 1, .up) }

  public convenience init(cgImage: CGImage) { self.init(cgImage, nil, 1, .up) }

  public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
    self.init(cgImage, nil, scale > 0 ? scale : 1, orientation)
  }

  public convenience init(ciImage: CIImage) { self.init(nil, ciImage, 1, .up) }

  public convenience init(ciImage: CIImage, scale: CGFloat, orientation: Orientation) {
    self.init(nil, ciImage, scale > 0 ? scale : 1, orientation)
  }

  public convenience init?(data: Data) { self.init(data: data, scale: 1) }

  public convenience init?(data: Data, scale: CGFloat) {
    guard let image = try? Image(bytes: [UInt8](data)), let stored = CGImage(image) else {
      return nil
    }
    let turned = CGImagePropertyOrientation(rawValue: UInt32(clamping: image.storedOrientation))
    self.init(stored, nil, scale > 0 ? scale : 1, Orientation(turned ?? .up))
  }

  public convenience init?(contentsOfFile path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return nil }
    self.init(data: data, scale: Self.scale(ofFile: path))
  }

  /// A picture of the program's bundle, with or without the ending of its file.
  public convenience init?(named name: String) {
    let endings = [nil, "png", "jpg", "jpeg", "webp"]
    for ending in endings {
      for suffix in ["", "@2x", "@3x"] {
        if let path = Bundle.main.path(forResource: name + suffix, ofType: ending) {
          self.init(contentsOfFile: path)
          return
        }
      }
    }
    return nil
  }

  /// `name@2x.png` has two pixels in a point.
  private static func scale(ofFile path: String) -> CGFloat {
    let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    return name.hasSuffix("@2x") ? 2 : (name.hasSuffix("@3x") ? 3 : 1)
  }

  /// The size in points when it is shown.
  open var size: CGSize {
    let stored =
      cgImage.map { CGSize(width: $0.width, height: $0.height) } ?? ciImage?.extent.size ?? .zero
    let swaps = [.left, .right, .leftMirrored, .rightMirrored].contains(imageOrientation)
    return swaps
      ? CGSize(width: stored.height / scale, height: stored.width / scale)
      : CGSize(width: stored.width / scale, height: stored.height / scale)
  }

  /// The pixels as they are shown.
  package var upright: CGImage? {
    if imageOrientation == .up, let cgImage { return cgImage }
    guard let recipe = ciImage ?? cgImage.map({ CIImage(cgImage: $0) }) else { return nil }
    let turned = recipe.oriented(imageOrientation.stored)
    return CIContext().createCGImage(turned, from: turned.extent)
  }

  /// The bytes of a JPEG file of the upright picture.
  ///
  /// - Parameter quality: From 0 to 1.
  open func jpegData(compressionQuality quality: CGFloat) -> Data? {
    let percent = Int((min(max(quality, 0), 1) * 99).rounded()) + 1
    return upright?.rgbImage?.encoded(isJPEG: true, percent).map { Data($0) }
  }

  /// The bytes of a PNG file of the upright picture, without alpha.
  open func pngData() -> Data? {
    upright?.rgbImage?.encoded(isJPEG: false, 0).map { Data($0) }
  }

  // MARK: Drawing in the current context

  open func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }

  open func draw(in rect: CGRect) { draw(in: rect, blendMode: .normal, alpha: 1) }

  open func draw(at point: CGPoint, blendMode: CGBlendMode, alpha: CGFloat) {
    draw(in: CGRect(origin: point, size: size), blendMode: blendMode, alpha: alpha)
  }

  open func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
    guard let context = UIGraphicsGetCurrentContext(), let upright else { return }
    context.saveGState()
    context.setBlendMode(blendMode)
    context.multiplyAlpha(by: alpha)
    context.translateBy(x: 0, y: rect.minY + rect.maxY)
    context.scaleBy(x: 1, y: -1)
    context.draw(upright, in: rect)
    context.restoreGState()
  }
}

extension CIImage {
  /// The picture as it is stored: neither turned nor scaled.
  public convenience init?(image: UIImage) {
    if let stored = image.cgImage {
      self.init(cgImage: stored)
    } else if let recipe = image.ciImage {
      self.init(recipe: recipe)
    } else {
      return nil
    }
  }

  public convenience init?(image: UIImage, options: [CIImageOption: Any]? = nil) {
    self.init(image: image)
  }
}

public func UIImageJPEGRepresentation(_ image: UIImage, _ quality: CGFloat) -> Data? {
  image.jpegData(compressionQuality: quality)
}

public func UIImagePNGRepresentation(_ image: UIImage) -> Data? { image.pngData() }
