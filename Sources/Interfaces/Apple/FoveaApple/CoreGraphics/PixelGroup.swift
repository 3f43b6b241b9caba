// Fovea - what is drawn by itself, before it is laid upon other pixels.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Transparent pixels as many as a context has, and the state that their drawing began with.
final class PixelGroup {
  let canvas: PixelCanvas
  let state: CGContext.State

  init?(width: Int, height: Int, _ state: CGContext.State) {
    guard let memory = calloc(height, width * 4) else { return nil }
    canvas = PixelCanvas(
      base: memory.bindMemory(to: UInt8.self, capacity: height * width * 4), width: width,
      height: height, rowBytes: width * 4, arrangement: .rgba)
    self.state = state
  }

  deinit { free(canvas.base) }

  /// Multiplies the pixels by the alpha of another group.
  func multiply(by other: PixelGroup, _ clip: PixelClip) {
    for row in clip.rows {
      for column in clip.columns {
        let place = row * canvas.rowBytes + column * 4
        let alpha = Int(other.canvas.base[place + 3])
        guard alpha < 255 else { continue }
        for sample in place..<place + 4 {
          canvas.base[sample] = UInt8((Int(canvas.base[sample]) * alpha + 127) / 255)
        }
      }
    }
  }

  /// The color of a pixel.
  func color(x: Int, y: Int) -> PaintedColor {
    let pixel = canvas.base + y * canvas.rowBytes + x * 4
    return PaintedColor(
      red: Float(pixel[0]) / 255, green: Float(pixel[1]) / 255, blue: Float(pixel[2]) / 255,
      alpha: Float(pixel[3]) / 255)
  }
}

extension CGContext {
  /// Where shapes and pictures go.
  var target: PixelCanvas { groups.last?.canvas ?? canvas }

  /// Begins what is drawn by itself. At its end it is laid upon the rest as one picture, with the
  /// alpha and the clip of now.
  public func beginTransparencyLayer(auxiliaryInfo: CFDictionary?) {
    saveGState()
    guard let group = PixelGroup(width: width, height: height, state) else { return }
    groups.append(group)
    state.alpha = 1
    state.blend = .normal
    state.clip = PixelClip(columns: state.clip.columns, rows: state.clip.rows)
  }

  public func beginTransparencyLayer(in rect: CGRect, auxiliaryInfo: CFDictionary?) {
    beginTransparencyLayer(auxiliaryInfo: auxiliaryInfo)
    clip(to: rect)
  }

  public func endTransparencyLayer() { endGroup() }

  /// Ends what is drawn by itself.
  ///
  /// - Parameter mask: Draws what its alpha is multiplied by; `nil` for nothing.
  package func endGroup(maskedBy mask: (() -> Void)? = nil) {
    guard let group = groups.popLast() else { return restoreGState() }
    let clip = group.state.clip
    if let mask {
      if let other = PixelGroup(width: width, height: height, state) {
        groups.append(other)
        mask()
        groups.removeLast()
        group.multiply(by: other, clip)
      }
    }
    restoreGState()
    let target = target
    let replaces = group.state.blend == .copy
    for row in clip.rows {
      for column in clip.columns {
        let color = group.color(x: column, y: row)
        guard replaces || color.alpha > 0 else { continue }
        let coverage = Float(group.state.alpha) * (clip.mask?[row * width + column] ?? 1)
        target.paint(color, coverage: coverage, x: column, y: row, replaces: replaces)
      }
    }
  }

  /// Multiplies the alpha of what is drawn from now on.
  package func multiplyAlpha(by share: CGFloat) { state.alpha *= share }

  /// Whether rectangles stay rectangles along the pixels.
  package var keepsAxes: Bool { state.ctm.keepsAxes }

  /// From the user's coordinates to pixels from the upper left.
  package var mapToPixels: CGAffineTransform { pixelMap }
}
