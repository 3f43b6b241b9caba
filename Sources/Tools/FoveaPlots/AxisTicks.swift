// Fovea - round numbers along an axis.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten.
package struct AxisTicks: Hashable, Sendable {
  /// The numbers, ascending, at least two.
  package let values: [Double]
  /// How many digits after the point tell them apart.
  package let digits: Int

  /// Ticks that begin at or below `range` and end at or above it.
  ///
  /// - Parameters:
  ///   - range: What must lie between the first and the last; a range of one number is widened.
  ///   - count: About how many are wanted. The distance is the least round number that needs no more
  ///     than this many steps from end to end of `range`.
  package init(covering range: ClosedRange<Double>, about count: Int) {
    let (low, high) = Self.widened(range)
    let rough = (high - low) / Double(max(count, 1))
    var exponent = Int(log10(rough).rounded(.down))
    let power = Self.power(exponent)
    // A hair above a round number is that number.
    let factors = [1.0, 2, 5, 10]
    let factor = factors.first { $0 * power >= rough * (1 - 1e-9) } ?? 10
    if factor == 10 { exponent += 1 }
    let step = factor * power
    let first = (low / step + 1e-9).rounded(.down), last = (high / step - 1e-9).rounded(.up)
    // Multiplied by a whole number or divided by one, so that 0.3 is 0.3.
    values = stride(from: first, through: last, by: 1).map { place in
      exponent < 0
        ? place * (factor == 10 ? 1 : factor) / Self.power(-exponent)
        : place * step
    }
    digits = max(0, -exponent)
  }

  /// Finite, and of some width.
  private static func widened(_ range: ClosedRange<Double>) -> (Double, Double) {
    let (low, high) = (range.lowerBound, range.upperBound)
    guard low.isFinite, high.isFinite else { return (0, 1) }
    let least = max(low.magnitude, high.magnitude, 1e-6) * 1e-6
    return high - low > least ? (low, high) : (low - max(least, 0.5), high + max(least, 0.5))
  }

  private static func power(_ exponent: Int) -> Double {
    let magnitude = (0..<abs(exponent)).reduce(1.0) { product, _ in product * 10 }
    return exponent < 0 ? 1 / magnitude : magnitude
  }

  /// What is written beside a tick.
  package func text(of value: Double) -> String {
    let scale = Self.power(digits)
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 9e15 else { return "\(value)" }
    let whole = Int(scaled.magnitude), part = Int(scale)
    let sign = scaled < 0 ? "-" : ""
    guard digits > 0 else { return sign + String(whole) }
    return sign + String(whole / part) + "." + String(whole % part + part).dropFirst()
  }
}
