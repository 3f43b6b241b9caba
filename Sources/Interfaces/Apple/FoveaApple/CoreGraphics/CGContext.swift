// Fovea - drawing on pixels in memory.
// SPDX-License-Identifier: Apache-2.0
public import Foundation

public enum CGBlendMode: Int32, Sendable {
  case normal = 0
  case clear = 16
  case copy = 17
}

public enum CGPathDrawingMode: Int32, Sendable {
  case fill, eoFill, stroke, fillStroke, eoFillStroke
}

public enum CGPathFillRule: Int, Sendable {
  case winding, evenOdd
}

/// Pixels in memory and how they are drawn on. The origin is the lower left corner.
public final class CGContext {
  /// What `saveGState()` keeps.
  struct State {
    var ctm = CGAffineTransform.identity
    var clip: PixelClip
    var fill = CGColor.black
    var stroke = CGColor.black
    var line = PathStroke()
    var alpha: CGFloat = 1
    var blend = CGBlendMode.normal
    var interpolation = CGInterpolationQuality.default
    var antialiases = true
  }

  public let width: Int
  public let height: Int
  public let bytesPerRow: Int
  public let bitmapInfo: CGBitmapInfo
  private let space: CGColorSpace
  let canvas: PixelCanvas
  /// The pixels, where the context owns them.
  private let owned: UnsafeMutablePointer<UInt8>?
  /// What must live as long as the context.
  private let owner: AnyObject?
  var state: State
  private var saved: [State] = []
  /// What is drawn by itself, to be laid upon what lies below; the innermost is the last.
  var groups: [PixelGroup] = []
  var currentPath = CGMutablePath()

  /// Pixels of 8-bit samples, with alpha that colors are multiplied by, without alpha, or gray.
  ///
  /// - Parameters:
  ///   - data: The pixels, which stay where they are; `nil` for some that the context owns.
  ///   - bytesPerRow: From row to row; 0 for what suits.
  public convenience init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32
  ) {
    self.init(
      data: data, width: width, height: height, bitsPerComponent: bitsPerComponent,
      bytesPerRow: bytesPerRow, space: space, bitmapInfo: bitmapInfo, owner: nil)
  }

  package init?(
    data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int,
    bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32, owner: AnyObject?
  ) {
    let info = CGBitmapInfo(rawValue: bitmapInfo)
    let bits = space.model == .monochrome || info.alphaInfo == .alphaOnly ? 8 : 32
    guard
      let arrangement = PixelArrangement(
        bitsPerComponent: bitsPerComponent, bitsPerPixel: bits, info),
      arrangement.isPremultiplied, bits == 8 || info.alphaInfo != .none,
      width > 0, height > 0, width <= 1 << 20, height <= 1 << 20
    else { return nil }
    let least = width * arrangement.bytesPerPixel
    let rowBytes = bytesPerRow == 0 ? (least + 15) / 16 * 16 : bytesPerRow
    guard rowBytes >= least, rowBytes <= 1 << 30 else { return nil }
    if let data {
      owned = nil
      canvas = PixelCanvas(
        base: data.assumingMemoryBound(to: UInt8.self), width: width, height: height,
        rowBytes: rowBytes, arrangement: arrangement)
    } else {
      guard let memory = calloc(height, rowBytes) else { return nil }
      let pixels = memory.bindMemory(to: UInt8.self, capacity: height * rowBytes)
      owned = pixels
      canvas = PixelCanvas(
        base: pixels, width: width, height: height, rowBytes: rowBytes, arrangement: arrangement)
    }
    (self.width, self.height, self.bytesPerRow) = (width, height, rowBytes)
    (self.space, self.bitmapInfo, self.owner) = (space, info, owner)
    state = State(clip: PixelClip(columns: 0..<width, rows: 0..<height))
  }

  deinit { free(owned) }

  public var data: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(canvas.base) }
  public var bitsPerComponent: Int { 8 }
  public var bitsPerPixel: Int { canvas.arrangement.bytesPerPixel * 8 }
  public var colorSpace: CGColorSpace? { space }
  public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo }

  /// A picture of what has been drawn until now.
  public func makeImage() -> CGImage? {
    let bytes = NSData(bytes: canvas.base, length: height * bytesPerRow)
    return CGImage(
      width: width, height: height, bytesPerRow: bytesPerRow, space: space,
      bitmapInfo: bitmapInfo, arrangement: canvas.arrangement,
      provider: CGDataProvider(owned: bytes), offset: 0)
  }

  // MARK: State

  public func saveGState() { saved.append(state) }

  public func restoreGState() {
    if let last = saved.popLast() { state = last }
  }

  public var ctm: CGAffineTransform { state.ctm }

  public func translateBy(x: CGFloat, y: CGFloat) {
    state.ctm = state.ctm.translatedBy(x: x, y: y)
  }

  public func scaleBy(x: CGFloat, y: CGFloat) { state.ctm = state.ctm.scaledBy(x: x, y: y) }

  public func rotate(by angle: CGFloat) { state.ctm = state.ctm.rotated(by: angle) }

  public func concatenate(_ transform: CGAffineTransform) {
    state.ctm = transform.concatenating(state.ctm)
  }

  public func setFillColor(_ color: CGColor) { state.fill = color }

  public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  public func setFillColor(gray: CGFloat, alpha: CGFloat) {
    state.fill = CGColor(gray: gray, alpha: alpha)
  }

  public func setStrokeColor(_ color: CGColor) { state.stroke = color }

  public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    state.stroke = CGColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  public func setStrokeColor(gray: CGFloat, alpha: CGFloat) {
    state.stroke = CGColor(gray: gray, alpha: alpha)
  }

  public func setLineWidth(_ width: CGFloat) { state.line.width = max(0, width) }

  public func setLineCap(_ cap: CGLineCap) { state.line.cap = cap }

  public func setLineJoin(_ join: CGLineJoin) { state.line.join = join }

  public func setMiterLimit(_ limit: CGFloat) { state.line.miterLimit = limit }

  public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
    (state.line.phase, state.line.dashes) = (phase, lengths)
  }

  public func setAlpha(_ alpha: CGFloat) { state.alpha = alpha }

  public func setBlendMode(_ mode: CGBlendMode) { state.blend = mode }

  public func setShouldAntialias(_ should: Bool) { state.antialiases = should }

  public var interpolationQuality: CGInterpolationQuality {
    get { state.interpolation }
    set { state.interpolation = newValue }
  }

  /// From the user's coordinates to pixels, counted from the upper left.
  var pixelMap: CGAffineTransform {
    state.ctm.concatenating(CGAffineTransform(1, 0, 0, -1, 0, CGFloat(height)))
  }
}

// MARK: Paths

extension CGContext {
  public func beginPath() { currentPath = CGMutablePath() }

  public func move(to point: CGPoint) { currentPath.move(to: point) }

  public func addLine(to point: CGPoint) { currentPath.addLine(to: point) }

  public func addLines(between points: [CGPoint]) { currentPath.addLines(between: points) }

  public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
    currentPath.addCurve(to: end, control1: control1, control2: control2)
  }

  public func addQuadCurve(to end: CGPoint, control: CGPoint) {
    currentPath.addQuadCurve(to: end, control: control)
  }

  public func addArc(
    center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
  ) {
    currentPath.addArc(
      center: center, radius: radius, startAngle: startAngle, endAngle: endAngle,
      clockwise: clockwise)
  }

  public func addRect(_ rect: CGRect) { currentPath.addRect(rect) }

  public func addRects(_ rects: [CGRect]) { currentPath.addRects(rects) }

  public func addEllipse(in rect: CGRect) { currentPath.addEllipse(in: rect) }

  public func addPath(_ path: CGPath) { currentPath.addPath(path) }

  public func closePath() { currentPath.closeSubpath() }

  public var path: CGPath? { currentPath.isEmpty ? nil : currentPath.copy() }

  public func fillPath(using rule: CGPathFillRule = .winding) {
    drawPath(using: rule == .winding ? .fill : .eoFill)
  }

  public func strokePath() { drawPath(using: .stroke) }

  /// Draws the current path, and begins another.
  public func drawPath(using mode: CGPathDrawingMode) {
    let path = currentPath
    beginPath()
    if mode != .stroke {
      fill(path, isEvenOdd: mode == .eoFill || mode == .eoFillStroke)
    }
    if mode != .fill, mode != .eoFill { stroke(path) }
  }
}
