// Fovea - drawing a tree of layers.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaApple
internal import Foundation

extension CALayer {
  /// Draws the layer and what is in it, in its own coordinates.
  func drawTree(in context: CGContext) {
    guard !isHidden, opacity > 0 else { return }
    displayIfNeeded()
    context.saveGState()
    if shadowOpacity > 0 { drawShadow(in: context) }
    if opacity < 1 || mask != nil {
      context.multiplyAlpha(by: CGFloat(min(opacity, 1)))
      context.beginTransparencyLayer(auxiliaryInfo: nil)
      drawAll(in: context)
      context.endGroup(
        maskedBy: mask.map { mask in { mask.drawPlaced(in: context) } })
    } else {
      drawAll(in: context)
    }
    context.restoreGState()
  }

  /// Draws the layer where it lies in its superlayer.
  private func drawPlaced(in context: CGContext) {
    context.saveGState()
    context.concatenate(toSuperlayer)
    drawTree(in: context)
    context.restoreGState()
  }

  /// Background, contents, sublayers, and the border above all.
  private func drawAll(in context: CGContext) {
    if let backgroundColor {
      context.setFillColor(backgroundColor)
      context.addPath(outline())
      context.fillPath()
    }
    context.saveGState()
    if masksToBounds {
      if cornerRadius > 0 {
        context.addPath(outline())
        context.clip()
      } else {
        context.clip(to: bounds)
      }
    }
    drawOwn(in: context)
    for child in drawingOrder { child.drawPlaced(in: context) }
    context.restoreGState()
    if borderWidth > 0, let borderColor { drawBorder(borderColor, in: context) }
  }

  /// The picture of the layer, or what it draws itself; then its shapes, which need no bounds.
  private func drawOwn(in context: CGContext) {
    context.saveGState()
    if let image = picture {
      drawPicture(image, in: context)
    } else if !bounds.isEmpty {
      draw(in: context)
    }
    context.restoreGState()
    context.saveGState()
    drawShapes(in: context)
    context.restoreGState()
  }

  private func drawBorder(_ color: CGColor, in context: CGContext) {
    context.setFillColor(color)
    context.addPath(outline())
    let isWhole = 2 * borderWidth >= min(bounds.width, bounds.height)
    if !isWhole { context.addPath(outline(inset: borderWidth)) }
    context.fillPath(using: .evenOdd)
  }

  // MARK: Shadows

  /// The alpha of the layer, moved, blurred and colored.
  private func drawShadow(in context: CGContext) {
    guard let color = shadowColor,
      let shape = CGContext(
        data: nil, width: context.width, height: context.height, bitsPerComponent: 8,
        bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
    else { return }
    shape.concatenate(context.ctm)
    shape.translateBy(x: shadowOffset.width, y: shadowOffset.height)
    if let shadowPath {
      shape.setFillColor(.black)
      shape.addPath(shadowPath)
      shape.fillPath()
    } else {
      drawAll(in: shape)
    }
    let map = context.ctm
    let scale = abs(map.a * map.d - map.b * map.c).squareRoot()
    guard let image = LayerShadow.picture(of: shape, color, radius: shadowRadius * scale) else {
      return
    }
    context.saveGState()
    context.concatenate(map.inverted())
    context.multiplyAlpha(by: CGFloat(min(shadowOpacity, 1)) * CGFloat(min(opacity, 1)))
    context.draw(
      image, in: CGRect(x: 0, y: 0, width: context.width, height: context.height))
    context.restoreGState()
  }
}
