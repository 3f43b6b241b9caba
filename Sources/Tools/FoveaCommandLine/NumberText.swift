// Fovea - numbers as text for people.
// SPDX-License-Identifier: Apache-2.0

/// Numbers as text for people.
package enum NumberText {
  /// A number with a fixed count of digits after the point; "-" for what is no finite number.
  package static func fixed(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { product, _ in product * 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 9e15 else { return "-" }
    let whole = Int(scaled.magnitude)
    let sign = scaled < 0 ? "-" : ""
    guard digits > 0 else { return sign + String(whole) }
    let fraction = String(whole % Int(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return sign + String(whole / Int(scale)) + "." + zeros + fraction
  }

  /// A count with zeros before it, so that names of files are in order; not below 0.
  package static func padded(_ count: Int, digits: Int) -> String {
    let text = String(count)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// A fraction as percent with one digit.
  package static func percent(_ fraction: Double) -> String {
    fixed(fraction * 100, digits: 1) + " %"
  }

  /// Bytes as MiB with two digits.
  package static func mebibytes(_ bytes: Int) -> String {
    fixed(Double(bytes) / 1_048_576, digits: 2)
  }

  /// A count in millions with two digits.
  package static func millions(_ count: Int) -> String { fixed(Double(count) / 1e6, digits: 2) }

  /// A shape such as "1 x 80".
  package static func shape(_ shape: [Int]) -> String {
    shape.isEmpty ? "scalar" : shape.map { String($0) }.joined(separator: " x ")
  }

  /// A value rounded to a count of digits after the point, for JSON.
  package static func rounded(_ value: Double, digits: Int) -> Double {
    let scale = (0..<digits).reduce(1.0) { product, _ in product * 10 }
    let scaled = (value * scale).rounded()
    return scaled.isFinite ? scaled / scale : value
  }
}

extension Duration {
  /// The duration in milliseconds.
  package var milliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }
}
