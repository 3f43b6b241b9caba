// Fovea - bytes of another process, read in order.
// SPDX-License-Identifier: Apache-2.0

/// Bytes of an answer, read in order. They come from a process that a library may have damaged, so every
/// length is checked: what goes beyond the end is `nil`, and so is everything after it.
package struct AnswerBytes {
  private let bytes: [UInt8]
  private var place = 0

  /// Bytes of an answer.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all bytes have been read, and no more.
  package var isAtEnd: Bool { place == bytes.count }

  /// The next four bytes as a number, the least significant one first.
  package mutating func number() -> UInt32? {
    take(4)?.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The next four bytes as a signed number.
  package mutating func signed() -> Int32? { number().map { Int32(bitPattern: $0) } }

  /// The next four bytes as a number with a point; finite.
  package mutating func float() -> Float? {
    guard let bits = number() else { return nil }
    let value = Float(bitPattern: bits)
    return value.isFinite ? value : nil
  }

  /// The next bytes, whose count stands before them.
  package mutating func counted() -> [UInt8]? {
    guard let count = number() else { return nil }
    return take(Int(count)).map(Array.init)
  }

  /// The next bytes as text, whose count in bytes stands before them; what is not UTF-8 is replaced.
  package mutating func text() -> String? { counted().map { String(decoding: $0, as: UTF8.self) } }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count - place else {
      place = bytes.count + 1
      return nil
    }
    defer { place += count }
    return bytes[place..<place + count]
  }
}
