// Fovea - pictures in layers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import Foundation

/// How a picture is laid into a layer.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let center = Self(rawValue: "center")
  public static let top = Self(rawValue: "top")
  public static let bottom = Self(rawValue: "bottom")
  public static let left = Self(rawValue: "left")
  public static let right = Self(rawValue: "right")
  public static let topLeft = Self(rawValue: "topLeft")
  public static let topRight = Self(rawValue: "topRight")
  public static let bottomLeft = Self(rawValue: "bottomLeft")
  public static let bottomRight = Self(rawValue: "bottomRight")
  public static let resize = Self(rawValue: "resize")
  public static let resizeAspect = Self(rawValue: "resizeAspect")
  public static let resizeAspectFill = Self(rawValue: "resizeAspectFill")
}

/// How a picture is scaled.
public struct CALayerContentsFilter: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let linear = Self(rawValue: "linear")
  public static let nearest = Self(rawValue: "nearest")
  public static let trilinear = Self(rawValue: "trilinear")
}

extension CALayer {
  /// The part of `contents` that is shown, if it is a picture.
  var picture: CGImage? {
    let whole: CGImage?
    switch contents {
    case let image as CGImage: whole = image
    case let buffer as CVPixelBuffer:
      whole = CIContext().createCGImage(
        CIImage(cvPixelBuffer: buffer),
        from: CGRect(x: 0, y: 0, width: buffer.columns, height: buffer.rows))
    default: return nil
    }
    guard let whole, contentsRect != CGRect(x: 0, y: 0, width: 1, height: 1) else {
      return whole
    }
    let (width, height) = (CGFloat(whole.width), CGFloat(whole.height))
    return whole.cropping(
      to: CGRect(
        x: contentsRect.minX * width, y: contentsRect.minY * height,
        width: contentsRect.width * width, height: contentsRect.height * height))
  }

  func drawPicture(_ image: CGImage, in context: CGContext) {
    let place = place(of: image)
    let isLarger = CGFloat(image.width) <= place.width
    let filter = isLarger ? magnificationFilter : minificationFilter
    context.interpolationQuality = filter == .nearest ? .none : .default
    guard !contentsAreFlipped() else { return context.draw(image, in: place) }
    // The picture's first row lies at the least y.
    context.translateBy(x: 0, y: place.minY + place.maxY)
    context.scaleBy(x: 1, y: -1)
    context.draw(image, in: place)
  }

  /// Where the picture lies, by its gravity. The top is where y is least, unless it is flipped.
  private func place(of image: CGImage) -> CGRect {
    let scale = contentsScale > 0 ? contentsScale : 1
    var size = CGSize(
      width: CGFloat(image.width) / scale, height: CGFloat(image.height) / scale)
    let ratios = (bounds.width / size.width, bounds.height / size.height)
    switch contentsGravity {
    case .resize: return bounds
    case .resizeAspect, .resizeAspectFill:
      let factor =
        contentsGravity == .resizeAspect ? min(ratios.0, ratios.1) : max(ratios.0, ratios.1)
      size = CGSize(width: size.width * factor, height: size.height * factor)
    default: break
    }
    let word = contentsGravity.rawValue.lowercased()
    let isTop = word.hasPrefix("top") != contentsAreFlipped()
    let isBottom = word.hasPrefix("bottom") != contentsAreFlipped()
    let hasEdge = word.hasPrefix("top") || word.hasPrefix("bottom")
    let x =
      word.hasSuffix("left")
      ? bounds.minX
      : (word.hasSuffix("right") ? bounds.maxX - size.width : bounds.midX - size.width / 2)
    let y =
      !hasEdge
      ? bounds.midY - size.height / 2
      : (isTop && !isBottom ? bounds.minY : bounds.maxY - size.height)
    return CGRect(origin: CGPoint(x: x, y: y), size: size)
  }
}
