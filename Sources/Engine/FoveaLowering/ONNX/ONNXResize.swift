// Fovea - where ONNX takes the samples of a resized array.
// SPDX-License-Identifier: Apache-2.0

/// One dimension that changes its size.
struct ONNXResizeAxis {
  var axis: Int
  /// Elements of the input.
  var size: Int
  /// Elements of the output.
  var output: Int
  /// The stated ratio, which may be another one than that of the sizes.
  var scale: Float

  /// Whether the scale is the ratio of the sizes.
  var isExact: Bool { Float(output) / Float(size) == scale }
}

/// How samples are taken. Places are computed in single precision, as ONNX Runtime does: which of
/// two elements is nearer depends on the last bit.
struct ONNXResize {
  enum Mode {
    case nearest, linear, cubic
  }

  enum Coordinates {
    case halfPixel, pytorchHalfPixel, asymmetric, alignCorners, halfPixelSymmetric
    case halfPixelOfNearest
  }

  enum Rounding {
    case preferFloor, preferCeil, floor, ceil
  }

  var mode: Mode
  var coordinates: Coordinates
  var rounding: Rounding
  /// The factor that shapes cubic interpolation.
  var cubicFactor: Float = -0.75
  /// Whether samples outside get no weight, instead of that of the border.
  var excludesOutside = false
  /// Whether a smaller output averages over more elements (antialias).
  var isSmoothed = false

  /// Where a sample lies, in elements of the input.
  private func place(_ index: Int, _ axis: ONNXResizeAxis) -> Float {
    let x = Float(index)
    switch coordinates {
    case .halfPixel: return (x + 0.5) / axis.scale - 0.5
    case .pytorchHalfPixel: return axis.output > 1 ? (x + 0.5) / axis.scale - 0.5 : 0
    case .asymmetric: return x / axis.scale
    case .alignCorners:
      return axis.output == 1 ? 0 : x * Float(axis.size - 1) / Float(axis.output - 1)
    case .halfPixelSymmetric:
      let whole = axis.scale * Float(axis.size)
      let offset = Float(axis.size) / 2 * (1 - Float(axis.output) / whole)
      return offset + (x + 0.5) / axis.scale - 0.5
    case .halfPixelOfNearest: return (x + 0.5) / axis.scale
    }
  }

  /// How far from the middle of two elements a place still counts as there: a quotient that should be
  /// 7.5 may be less in its last bit. ONNX Runtime does the same.
  private static let nearTheMiddle: Float = 1e-6

  /// The element that a sample takes.
  func nearest(_ index: Int, _ axis: ONNXResizeAxis) -> Int {
    let place = axis.scale == 1 ? Float(index) : place(index, axis)
    let below = place.rounded(.down)
    let whole: Float =
      switch rounding {
      case .floor: below
      case .ceil: place.rounded(.up)
      case .preferFloor: place - below <= 0.5 + Self.nearTheMiddle ? below : below + 1
      case .preferCeil: place - below >= 0.5 - Self.nearTheMiddle ? below + 1 : below
      }
    return min(max(Int(whole), 0), axis.size - 1)
  }

  /// The sampling mode of ML Programs that means the same for some dimensions, empty for nearest
  /// elements; `nil` if none does.
  func planeMode(_ axes: [ONNXResizeAxis]) -> String? {
    switch mode {
    case .nearest:
      let isSpread = axes.allSatisfy { axis in
        (0..<axis.output).allSatisfy { nearest($0, axis) == $0 * axis.size / axis.output }
      }
      return isSpread ? "" : nil
    case .linear where !isSmoothed || axes.allSatisfy({ $0.output >= $0.size }):
      switch coordinates {
      case .halfPixel where axes.allSatisfy(\.isExact): return "UNALIGN_CORNERS"
      case .pytorchHalfPixel where axes.allSatisfy({ $0.isExact && $0.output > 1 }):
        return "UNALIGN_CORNERS"
      case .alignCorners where axes.allSatisfy({ $0.output > 1 }): return "STRICT_ALIGN_CORNERS"
      default: return nil
      }
    default: return nil
    }
  }

  /// The weights of interpolation, one row for each element of the output.
  func weights(_ axis: ONNXResizeAxis) -> [Float] {
    var weights = [Float](repeating: 0, count: axis.output * axis.size)
    for index in 0..<axis.output {
      let place = axis.scale == 1 && axis.output == axis.size ? Float(index) : place(index, axis)
      let row = index * axis.size
      var taps = taps(at: place, axis)
      if excludesOutside { taps = taps.filter { (0..<axis.size).contains($0.element) } }
      let sum = taps.reduce(0) { $0 + $1.weight }
      for (element, weight) in taps where sum != 0 {
        weights[row + min(max(element, 0), axis.size - 1)] += Float(weight / sum)
      }
    }
    return weights
  }

  /// Elements around a place and their weights, which need not sum to 1.
  private func taps(at place: Float, _ axis: ONNXResizeAxis) -> [(element: Int, weight: Double)] {
    // Further out the border alone counts.
    let place = Double(min(max(place, -8), Float(axis.size) + 8))
    let stretch = isSmoothed && axis.scale < 1 ? 1 / Double(axis.scale) : 1
    let reach = (mode == .linear ? 1 : 2) * stretch
    let first = Int((place - reach).rounded(.down))
    let last = Int((place + reach).rounded(.up))
    return (first...last).compactMap { element in
      let distance = abs(Double(element) - place) / stretch
      let weight = mode == .linear ? max(0, 1 - distance) : cubic(distance)
      return weight == 0 ? nil : (element, weight)
    }
  }

  /// The cubic function of interpolation.
  private func cubic(_ x: Double) -> Double {
    let a = Double(cubicFactor)
    if x <= 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0
  }
}
