// Fovea - codes of as many bits as their symbols are rare.
// SPDX-License-Identifier: Apache-2.0

/// Bits of bytes, least first.
struct BitReader {
  private var rest: ArraySlice<UInt8>
  /// Bits that were read and not taken, and how many they are: less than eight.
  private var held = 0
  private var heldCount = 0

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// - Parameter count: At most 16.
  mutating func take(_ count: Int) throws(InflationError) -> Int {
    while heldCount < count {
      guard let byte = rest.popFirst() else { throw .truncated }
      held |= Int(byte) << heldCount
      heldCount += 8
    }
    defer {
      held >>= count
      heldCount -= count
    }
    return held & (1 << count - 1)
  }

  /// Leaves out the rest of a byte that was begun.
  mutating func alignToByte() { (held, heldCount) = (0, 0) }
}

/// Codes that follow from their lengths: shorter ones come first, equal ones in the order of symbols.
struct HuffmanCode {
  /// How many codes have each number of bits.
  private var counts = Array(repeating: 0, count: HuffmanCode.mostBits + 1)
  /// Symbols in the order of their codes.
  private let symbols: [Int]

  private static let mostBits = 15

  /// - Parameter lengths: Bits of each symbol's code; 0 where it has none. Codes may be left over,
  ///   as of a block with a single distance, and none may be missing.
  init(_ lengths: ArraySlice<Int>) throws(InflationError) {
    self.init(lengths: lengths)
    var left = 1
    for bits in 1...Self.mostBits {
      left = 2 * left - counts[bits]
      guard left >= 0 else { throw .invalidLengths }
    }
  }

  /// Codes of lengths that are known to be right.
  init(fixed lengths: [Int]) { self.init(lengths: lengths[...]) }

  private init(lengths: ArraySlice<Int>) {
    for length in lengths where length > 0 { counts[length] += 1 }
    symbols = zip(0..., lengths).filter { $0.1 > 0 }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// The symbol of the next code.
  func symbol(_ bits: inout BitReader) throws(InflationError) -> Int {
    var (code, first, place) = (0, 0, 0)
    for count in counts.dropFirst() {
      code |= try bits.take(1)
      if code - first < count { return symbols[place + code - first] }
      place += count
      first = (first + count) << 1
      code <<= 1
    }
    throw .invalidCode
  }
}
