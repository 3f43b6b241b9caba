// Fovea - bytes that were compressed by "deflate".
// SPDX-License-Identifier: Apache-2.0

/// Why compressed bytes cannot be expanded.
package enum InflationError: Error, Equatable {
  /// The bytes end within a block.
  case truncated
  /// A block is of no known kind, or a stored one contradicts itself.
  case invalidBlock
  /// Lengths of codes that no set of codes has.
  case invalidLengths
  /// Bits that are no code, or a code that stands for nothing.
  case invalidCode
  /// A copy of what lies before the first byte.
  case invalidDistance
  /// More bytes than are allowed, or other than were expected.
  case wrongSize
}

/// Expands what RFC 1951 describes. The caller bounds the result; memory is as large as it is, and time
/// grows with the sizes of both.
package struct Inflater {
  private var bits: BitReader
  private var output: [UInt8] = []
  private let count: Int

  private init(_ bytes: ArraySlice<UInt8>, count: Int) {
    bits = BitReader(bytes)
    self.count = count
  }

  /// - Parameter count: How many bytes come out. The caller bounds it.
  package static func expand(
    _ bytes: ArraySlice<UInt8>, count: Int
  ) throws(InflationError) -> [UInt8] {
    let output = try expand(bytes, atMost: count)
    guard output.count == count else { throw .wrongSize }
    return output
  }

  /// - Parameter count: The most bytes that may come out.
  package static func expand(
    _ bytes: ArraySlice<UInt8>, atMost count: Int
  ) throws(InflationError) -> [UInt8] {
    var inflater = Inflater(bytes, count: count)
    while try inflater.expandBlock() {}
    return inflater.output
  }

  // MARK: Blocks

  /// Whether another block follows.
  private mutating func expandBlock() throws(InflationError) -> Bool {
    let isLast = try bits.take(1) == 1
    switch try bits.take(2) {
    case 0: try copyStored()
    case 1: try expand(literals: Self.fixedLiterals, distances: Self.fixedDistances)
    case 2:
      let (literals, distances) = try codes()
      try expand(literals: literals, distances: distances)
    default: throw .invalidBlock
    }
    return !isLast
  }

  private mutating func copyStored() throws(InflationError) {
    bits.alignToByte()
    let size = try bits.take(16)
    guard try bits.take(16) == ~size & 0xFFFF else { throw .invalidBlock }
    guard size <= count - output.count else { throw .wrongSize }
    for _ in 0..<size { output.append(UInt8(try bits.take(8))) }
  }

  private mutating func expand(
    literals: HuffmanCode, distances: HuffmanCode
  ) throws(InflationError) {
    while true {
      let symbol = try literals.symbol(&bits)
      if symbol == Self.endOfBlock { return }
      if symbol < Self.endOfBlock {
        guard output.count < count else { throw .wrongSize }
        output.append(UInt8(symbol))
        continue
      }
      let length = try value(symbol - Self.endOfBlock - 1, Self.lengths)
      let distance = try value(distances.symbol(&bits), Self.distances)
      guard distance <= output.count else { throw .invalidDistance }
      guard length <= count - output.count else { throw .wrongSize }
      // A copy may reach into itself.
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  /// The number that a symbol begins, and further bits complete.
  private mutating func value(
    _ symbol: Int, _ table: [(least: Int, bits: Int)]
  ) throws(InflationError) -> Int {
    guard symbol < table.count else { throw .invalidCode }
    return table[symbol].least + (try bits.take(table[symbol].bits))
  }

  // MARK: Codes

  /// Both sets of codes of a block, whose lengths are coded themselves.
  private mutating func codes() throws(InflationError) -> (HuffmanCode, HuffmanCode) {
    let literalCount = try bits.take(5) + 257
    let distanceCount = try bits.take(5) + 1
    let lengthCount = try bits.take(4) + 4
    guard literalCount <= 286 else { throw .invalidLengths }
    var lengths = Array(repeating: 0, count: 19)
    for index in Self.lengthOrder.prefix(lengthCount) { lengths[index] = try bits.take(3) }
    let lengthCode = try HuffmanCode(lengths[...])
    lengths = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try lengthCode.symbol(&bits)
      let (length, times) =
        switch symbol {
        case 16: (lengths.last ?? -1, try bits.take(2) + 3)
        case 17: (0, try bits.take(3) + 3)
        case 18: (0, try bits.take(7) + 11)
        default: (symbol, 1)
        }
      guard length >= 0, lengths.count + times <= literalCount + distanceCount else {
        throw .invalidLengths
      }
      lengths.append(contentsOf: repeatElement(length, count: times))
    }
    return (
      try HuffmanCode(lengths[..<literalCount]), try HuffmanCode(lengths[literalCount...])
    )
  }

  private static let endOfBlock = 256
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let fixedLiterals = HuffmanCode(
    fixed: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = HuffmanCode(fixed: Array(repeating: 5, count: 30))

  /// Lengths 3 to 258: eight steps of one, then four of each number of bits; the last one stands alone.
  private static let lengths: [(least: Int, bits: Int)] = {
    var (table, least): ([(least: Int, bits: Int)], Int) = ([], 3)
    for symbol in 0..<28 {
      let bits = max(0, symbol / 4 - 1)
      table.append((least, bits))
      least += 1 << bits
    }
    return table + [(258, 0)]
  }()

  /// Distances 1 to 32768: four steps of one, then two of each number of bits.
  private static let distances: [(least: Int, bits: Int)] = {
    var (table, least): ([(least: Int, bits: Int)], Int) = ([], 1)
    for symbol in 0..<30 {
      let bits = max(0, symbol / 2 - 1)
      table.append((least, bits))
      least += 1 << bits
    }
    return table
  }()
}
