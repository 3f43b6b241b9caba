// Fovea - elements of constants, written one after another.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// Stores elements of one type as `TensorConstant.Content` describes.
struct ElementPacker {
  let element: ElementType
  private(set) var bytes: [UInt8] = []
  private(set) var strings: [String] = []
  private(set) var count = 0

  init(_ element: ElementType) { self.element = element }

  /// Appends a text.
  mutating func append(_ text: String) {
    strings.append(text)
    count += 1
  }

  /// Appends a number, and says whether the type has it; fractions are rounded to the nearest.
  mutating func append(_ number: ProgramTextNumber) -> Bool {
    guard let bits = FloatFormat(element)?.bits(of: number) ?? integerBits(of: number) else {
      return false
    }
    append(bits: bits)
    return true
  }

  /// Appends the lowest bits of a word, as many as an element has.
  mutating func append(bits: UInt64) {
    let width = element.bits
    if width >= 8 {
      for shift in stride(from: 0, to: width, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
      }
    } else {
      // An element straddles two bytes at most.
      let place = count * width
      let shifted = UInt16(bits & ((1 << UInt64(width)) - 1)) << UInt16(place % 8)
      if place % 8 == 0 { bytes.append(0) }
      bytes[place / 8] |= UInt8(truncatingIfNeeded: shifted)
      if place % 8 + width > 8 { bytes.append(UInt8(shifted >> 8)) }
    }
    count += 1
  }

  /// The bits of an integer in two's complement; `nil` where the type is no integer, or too small.
  private func integerBits(of number: ProgramTextNumber) -> UInt64? {
    guard element.isInteger, case .integer(let value) = number.magnitude else { return nil }
    let largest = UInt64.max >> UInt64(64 - element.bits + (element.isSigned ? 1 : 0))
    guard number.isNegative else { return value <= largest ? value : nil }
    guard value <= (element.isSigned ? largest + 1 : 0) else { return nil }
    return 0 &- value
  }
}

extension ConstantBuilder {
  /// The constant of packed elements.
  func constant(_ packer: ElementPacker) throws(ModelFormatError) -> TensorConstant {
    try checkCount(packer.count)
    return element == .string
      ? try constant(strings: packer.strings)
      : try constant(raw: StoredBytes(packer.bytes))
  }
}
