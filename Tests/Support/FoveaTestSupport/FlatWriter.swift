// Fovea - tests: flatbuffers.
// SPDX-License-Identifier: Apache-2.0

/// A value of a flatbuffer.
public indirect enum FlatValue {
  case byte(UInt8)
  case int(Int32)
  case long(UInt64)
  case float(Float)
  case text(String)
  case ints([Int32])
  case longs([Int64])
  case floats([Float])
  case bytes([UInt8])
  case table([Int: FlatValue])
  case tables([FlatValue])
}

/// Writes flatbuffers: a table, and behind it all that it refers to.
public struct FlatWriter {
  private var bytes: [UInt8] = []
  /// Offsets that are still to be written, and what they lead to.
  private var waiting: [(place: Int, value: FlatValue)] = []

  /// The bytes of a flatbuffer with a table as its root.
  public static func bytes(_ root: FlatValue, identifier: String = "TFL3") -> [UInt8] {
    var writer = FlatWriter()
    writer.bytes = [0, 0, 0, 0] + Array(identifier.utf8)
    writer.waiting = [(0, root)]
    var next = 0
    while next < writer.waiting.count {
      let (place, value) = writer.waiting[next]
      let target = writer.write(value)
      writer.set(UInt32(target - place), at: place)
      next += 1
    }
    return writer.bytes
  }

  private mutating func set(_ number: some FixedWidthInteger, at place: Int) {
    withUnsafeBytes(of: number.littleEndian) { source in
      for (index, byte) in source.enumerated() { bytes[place + index] = byte }
    }
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  /// Fills up until `offset` bytes from here there is a multiple of `alignment`.
  private mutating func align(_ alignment: Int, offset: Int = 0) {
    while (bytes.count + offset) % alignment != 0 { bytes.append(0) }
  }

  /// Writes what an offset leads to, and returns where it begins.
  private mutating func write(_ value: FlatValue) -> Int {
    switch value {
    case .table(let fields): return write(fields)
    case .tables(let list):
      align(4)
      let start = bytes.count
      append(UInt32(list.count))
      for item in list {
        waiting.append((bytes.count, item))
        append(UInt32(0))
      }
      return start
    case .text(let text): return write(Array(text.utf8) + [0], count: text.utf8.count)
    case .bytes(let list): return write(list, count: list.count)
    case .ints(let list): return write(list)
    case .longs(let list): return write(list)
    case .floats(let list): return write(list.map(\.bitPattern))
    default: preconditionFailure("a number has no place of its own")
    }
  }

  private mutating func write(_ list: [UInt8], count: Int) -> Int {
    align(16, offset: 4)
    let start = bytes.count
    append(UInt32(count))
    bytes += list
    return start
  }

  private mutating func write(_ list: [some FixedWidthInteger]) -> Int {
    align(8, offset: 4)
    let start = bytes.count
    append(UInt32(list.count))
    for number in list { append(number) }
    return start
  }

  /// The list of the fields' places, then the table.
  private mutating func write(_ fields: [Int: FlatValue]) -> Int {
    let count = (fields.keys.max() ?? -1) + 1
    align(8)
    let list = bytes.count
    append(UInt16(4 + 2 * count))
    append(UInt16(0))
    for _ in 0..<count { append(UInt16(0)) }
    align(8)
    let start = bytes.count
    append(Int32(start - list))
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
      if case .byte = value {} else { align(4) }
      if case .long = value { align(8) }
      set(UInt16(bytes.count - start), at: list + 4 + 2 * field)
      switch value {
      case .byte(let number): append(number)
      case .int(let number): append(number)
      case .long(let number): append(number)
      case .float(let number): append(number.bitPattern)
      default:
        waiting.append((bytes.count, value))
        append(UInt32(0))
      }
    }
    set(UInt16(bytes.count - start), at: list + 2)
    align(4)
    return start
  }
}
