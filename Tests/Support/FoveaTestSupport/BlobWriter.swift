// Fovea - files of constants beside a program, written record by record.
// SPDX-License-Identifier: Apache-2.0

/// Writes a file of constants: a header, then records with their data, each at a multiple of 64.
public struct BlobWriter {
  private var content: [UInt8] = []
  private var count: UInt32 = 0

  private static let header = 64

  /// An empty file.
  public init() {}

  /// Appends a record and returns where it begins.
  ///
  /// - Parameters:
  ///   - type: The number of the element type in such files.
  ///   - data: The elements.
  ///   - unusedBits: The bits of the last byte that belong to no element.
  public mutating func add(type: UInt32, _ data: [UInt8], unusedBits: UInt64 = 0) -> Int {
    count += 1
    let offset = Self.header + content.count
    content +=
      ProtobufWriter { writer in
        writer.fixed(UInt32(0xDEAD_BEEF))
        writer.fixed(type)
        writer.fixed(UInt64(data.count))
        writer.fixed(UInt64(offset + Self.header))
        writer.fixed(unusedBits)
        writer.raw([UInt8](repeating: 0, count: 32))
        writer.raw(data)
        writer.raw([UInt8](repeating: 0, count: (64 - data.count % 64) % 64))
      }.bytes
    return offset
  }

  /// The file.
  public var bytes: [UInt8] {
    ProtobufWriter { writer in
      writer.fixed(count)
      writer.fixed(UInt32(2))
      writer.raw([UInt8](repeating: 0, count: 56))
      writer.raw(content)
    }.bytes
  }
}
