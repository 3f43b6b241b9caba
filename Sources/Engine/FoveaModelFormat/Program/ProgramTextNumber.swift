// Fovea - numbers in the text of a program.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// A number as a text writes it, exact: an integer, a fraction, or no number at all.
struct ProgramTextNumber {
  /// What a number is worth, without its sign.
  enum Magnitude {
    /// An integer of at most 64 bits.
    case integer(UInt64)
    /// `significand` times 2 to the power of `exponent`, and a little more where it says so.
    case scaled(significand: UInt64, exponent: Int, isMore: Bool)
    case infinity
    case notANumber
  }

  let isNegative: Bool
  let magnitude: Magnitude

  /// More characters than any number of 64 bits needs.
  static let greatestLength = 64

  /// Reads a number; `nil` where it is none. An integer of more than 64 bits is no longer one.
  init?(_ text: ArraySlice<UInt8>) {
    var digits = text
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard digits.count <= Self.greatestLength, let first = digits.first,
      let magnitude = first | 0x20 == UInt8(ascii: "i") || first | 0x20 == UInt8(ascii: "n")
        ? Self.word(digits) : Self.magnitude(digits)
    else { return nil }
    self.isNegative = isNegative
    self.magnitude = magnitude
  }

  private static func word(_ text: ArraySlice<UInt8>) -> Magnitude? {
    switch String(decoding: text, as: UTF8.self) {
    case "inf": .infinity
    case "nan": .notANumber
    default: nil
    }
  }

  private static func magnitude(_ digits: ArraySlice<UInt8>) -> Magnitude? {
    if digits.starts(with: [UInt8(ascii: "0"), UInt8(ascii: "x")]) {
      return hexadecimal(digits.dropFirst(2))
    }
    var integer: UInt64 = 0
    for byte in digits {
      guard let digit = digit(byte), digit < 10 else { return decimal(digits) }
      let (tenfold, overflow) = integer.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(digit)
      guard !overflow, !carry else { return decimal(digits) }
      integer = sum
    }
    return .integer(integer)
  }

  /// "1.8p-3", with the exponent of 2 in decimal digits.
  private static func hexadecimal(_ text: ArraySlice<UInt8>) -> Magnitude? {
    var (significand, exponent, isMore): (UInt64, Int, Bool) = (0, 0, false)
    var (digits, behindPoint) = (0, false)
    var rest = text
    while let byte = rest.first, byte | 0x20 != UInt8(ascii: "p") {
      rest.removeFirst()
      if byte == UInt8(ascii: "."), !behindPoint {
        behindPoint = true
        continue
      }
      guard let digit = digit(byte) else { return nil }
      digits += 1
      // Behind 60 bits it only matters whether something is left.
      if significand >> 60 == 0 {
        significand = significand << 4 | digit
        if behindPoint { exponent -= 4 }
      } else {
        isMore = isMore || digit != 0
        if !behindPoint { exponent += 4 }
      }
    }
    guard digits > 0, let power = power(rest) else { return nil }
    return .scaled(significand: significand, exponent: exponent + power, isMore: isMore)
  }

  /// "p-3"; 0 where there is none. Powers beyond every format are as good as others beyond it.
  private static func power(_ text: ArraySlice<UInt8>) -> Int? {
    guard !text.isEmpty else { return 0 }
    var digits = text.dropFirst()
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
    guard !digits.isEmpty else { return nil }
    var power = 0
    for byte in digits {
      guard let digit = digit(byte), digit < 10 else { return nil }
      power = min(power * 10 + Int(digit), 1 << 20)
    }
    return isNegative ? -power : power
  }

  /// "1.5e-3". The compiler writes hexadecimal numbers alone; this is for people who edit a text.
  private static func decimal(_ text: ArraySlice<UInt8>) -> Magnitude? {
    guard text.allSatisfy({ isDecimal($0) }), text.first.flatMap(digit) != nil,
      let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
    else { return nil }
    guard value != 0 else { return .scaled(significand: 0, exponent: 0, isMore: false) }
    // A shorter format rounds a second time. That matters where a number lies within 2^-53 of the
    // middle between two others.
    let significand = UInt64(value.significand * 0x1p52)
    return .scaled(significand: significand, exponent: Int(value.exponent) - 52, isMore: false)
  }

  private static func isDecimal(_ byte: UInt8) -> Bool {
    digit(byte).map { $0 < 10 || byte | 0x20 == UInt8(ascii: "e") } ?? false
      || [UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte)
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x61...0x66: UInt64(byte - 0x61 + 10)
    case 0x41...0x46: UInt64(byte - 0x41 + 10)
    default: nil
    }
  }
}

/// A format of floating-point numbers: a sign, an exponent, a fraction.
struct FloatFormat {
  let exponentBits: Int
  let fractionBits: Int
  /// Whether the greatest exponent stands for infinity; else all ones alone are no number.
  var hasInfinity = true

  /// The format of an element type; `nil` for other types.
  init?(_ element: ElementType) {
    switch element {
    case .float16: (exponentBits, fractionBits) = (5, 10)
    case .float32: (exponentBits, fractionBits) = (8, 23)
    case .float64: (exponentBits, fractionBits) = (11, 52)
    case .bfloat16: (exponentBits, fractionBits) = (8, 7)
    case .float8E5M2: (exponentBits, fractionBits) = (5, 2)
    case .float8E4M3FN: (exponentBits, fractionBits, hasInfinity) = (4, 3, false)
    default: return nil
    }
  }

  /// The bits of a number, rounded to the nearest of the format, to an even one between two;
  /// `nil` where it is too large.
  func bits(of number: ProgramTextNumber) -> UInt64? {
    let infinity: UInt64 = ((1 << UInt64(exponentBits)) - 1) << UInt64(fractionBits)
    let allOnes = infinity | ((1 << UInt64(fractionBits)) - 1)
    let bits: UInt64
    switch number.magnitude {
    case .infinity:
      guard hasInfinity else { return nil }
      bits = infinity
    case .notANumber: bits = hasInfinity ? infinity | 1 << UInt64(fractionBits - 1) : allOnes
    case .integer, .scaled:
      bits = rounded(number.magnitude)
      guard bits < (hasInfinity ? infinity : allOnes) else { return nil }
    }
    return number.isNegative ? bits | 1 << UInt64(exponentBits + fractionBits) : bits
  }

  private func rounded(_ magnitude: ProgramTextNumber.Magnitude) -> UInt64 {
    switch magnitude {
    case .integer(let value): rounded(value, exponent: 0, isMore: false)
    case .scaled(let significand, let exponent, let isMore):
      rounded(significand, exponent: exponent, isMore: isMore)
    case .infinity, .notANumber: .max
    }
  }

  private func rounded(_ significand: UInt64, exponent: Int, isMore: Bool) -> UInt64 {
    guard significand != 0 else { return 0 }
    let bias = (1 << (exponentBits - 1)) - 1
    // The exponent of the leading bit; below the least one, fractions get shorter.
    let leading = exponent + 63 - significand.leadingZeroBitCount
    guard leading <= bias + 1 else { return .max }
    let isNormal = leading >= 1 - bias
    let unit = (isNormal ? leading : 1 - bias) - fractionBits
    let kept = Self.shifted(significand, by: unit - exponent, isMore: isMore)
    // A fraction that rounds up to the next power of 2 carries into the exponent, as it should.
    let field = isNormal ? UInt64(leading + bias - 1) << UInt64(fractionBits) : 0
    return field + kept
  }

  /// A number without its last bits, rounded.
  private static func shifted(_ value: UInt64, by bits: Int, isMore: Bool) -> UInt64 {
    guard bits > 0 else { return value << UInt64(-bits) }
    guard bits <= 64 else { return 0 }
    let kept = bits == 64 ? 0 : value >> UInt64(bits)
    let half: UInt64 = 1 << UInt64(bits - 1)
    let rest = value & (half | (half - 1))
    let roundsUp = rest > half || (rest == half && (isMore || kept & 1 == 1))
    return kept + (roundsUp ? 1 : 0)
  }
}
