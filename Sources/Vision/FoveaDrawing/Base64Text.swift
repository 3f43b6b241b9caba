// Fovea - bytes as text of 64 letters.
// SPDX-License-Identifier: Apache-2.0

private let alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// Appends `bytes` in base 64 (RFC 4648, section 4), padded, without line breaks.
package func appendBase64(of bytes: [UInt8], to text: inout [UInt8]) {
  text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let count = min(3, bytes.count - start)
    let word = (0..<3).reduce(UInt32(0)) { word, offset in
      word << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0)
    }
    for place in 0..<4 {
      let letter = alphabet[Int(word >> (18 - 6 * UInt32(place)) & 63)]
      text.append(place <= count ? letter : UInt8(ascii: "="))
    }
  }
}
