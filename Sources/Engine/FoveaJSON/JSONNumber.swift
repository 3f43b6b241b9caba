// Fovea - numbers of JSON, read exactly.
// SPDX-License-Identifier: Apache-2.0

/// A number of a JSON document: the double nearest to what is written.
package struct JSONNumber {
  package let double: Double
  /// The number where it is whole and known exactly.
  package let integer: Int?

  /// The number at the beginning of `bytes`, with its length; `nil` for what is no number, or above
  /// what a double can hold.
  static func read(_ bytes: UnsafeRawBufferPointer) -> (JSONNumber, length: Int)? {
    var scan = Scan(bytes: bytes)
    guard scan.run() else { return nil }
    if !scan.hasFraction, scan.digitCount <= 18 {
      let integer = scan.isNegative ? -Int(scan.mantissa) : Int(scan.mantissa)
      // -0 is a double of its own.
      let double = scan.isNegative ? -Double(scan.mantissa) : Double(scan.mantissa)
      return (JSONNumber(double: double, integer: integer), scan.place)
    }
    guard let double = scan.exactDouble ?? scan.librarysDouble, double.isFinite else { return nil }
    let isKnown = double.magnitude <= 0x1p53 && double.rounded() == double
    return (JSONNumber(double: double, integer: isKnown ? Int(double) : nil), scan.place)
  }

  /// The parts of a number.
  private struct Scan {
    let bytes: UnsafeRawBufferPointer
    var place = 0
    var isNegative = false
    /// All digits, as one number; worth something up to 18 of them.
    var mantissa: UInt64 = 0
    var digitCount = 0
    /// Powers of ten that the mantissa is to be multiplied by.
    var exponent = 0
    var hasFraction = false

    /// `false` for what is no number of JSON.
    mutating func run() -> Bool {
      isNegative = take(UInt8(ascii: "-"))
      let startsWithZero = next == UInt8(ascii: "0")
      let wholeDigits = takeDigits()
      guard wholeDigits > 0, !(startsWithZero && wholeDigits > 1) else { return false }
      if take(UInt8(ascii: ".")) {
        hasFraction = true
        let count = takeDigits()
        guard count > 0 else { return false }
        exponent = -count
      }
      if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
        hasFraction = true
        return takeExponent()
      }
      return true
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard next == byte else { return false }
      place += 1
      return true
    }

    private mutating func takeDigits() -> Int {
      let start = place
      while place < bytes.count, isDigit(bytes[place]) {
        let digit = UInt64(bytes[place] &- 0x30)
        mantissa = mantissa &* 10 &+ digit
        if mantissa != 0 || digitCount > 0 { digitCount += 1 }
        place += 1
      }
      return place - start
    }

    private mutating func takeExponent() -> Bool {
      let isBelow = take(UInt8(ascii: "-"))
      if !isBelow { _ = take(UInt8(ascii: "+")) }
      let start = place
      var power = 0
      while place < bytes.count, isDigit(bytes[place]) {
        power = min(power * 10 + Int(bytes[place] &- 0x30), 100_000)
        place += 1
      }
      exponent += isBelow ? -power : power
      return place > start
    }

    /// Exact where both factors are doubles without rounding: one rounding gives the nearest.
    var exactDouble: Double? {
      guard digitCount <= 18, mantissa <= 1 << 53, exponent.magnitude <= 22 else { return nil }
      let power = powersOfTen[Int(exponent.magnitude)]
      let value = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
      return isNegative ? -value : value
    }

    var librarysDouble: Double? {
      Double(String(decoding: bytes[..<place], as: UTF8.self))
    }
  }
}

private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]
