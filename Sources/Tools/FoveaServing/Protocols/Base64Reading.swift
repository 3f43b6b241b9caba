// Fovea - bytes that come as text of 64 letters.
// SPDX-License-Identifier: Apache-2.0

/// Reads bytes in base 64 (RFC 4648, both alphabets), with or without padding and line breaks.
///
/// - Returns: `nil` for another sign, or for a last group that is no byte.
func bytes(ofBase64 text: some Sequence<UInt8>) -> [UInt8]? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.underestimatedCount / 4 * 3 + 3)
  var (word, count, padding) = (UInt32(0), 0, 0)
  for sign in text {
    let value: UInt8
    switch sign {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = sign - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): value = sign - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = sign - 48 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
    case UInt8(ascii: "="):
      padding += 1
      continue
    case 0x0A, 0x0D, 0x20: continue
    default: return nil
    }
    guard padding == 0 else { return nil }
    word = word << 6 | UInt32(value)
    count += 1
    guard count % 4 == 0 else { continue }
    bytes += [UInt8(word >> 16 & 255), UInt8(word >> 8 & 255), UInt8(word & 255)]
    word = 0
  }
  guard padding == 0 || (count + padding) % 4 == 0, padding <= 2 else { return nil }
  switch count % 4 {
  case 0: break
  case 2: bytes.append(UInt8(word >> 4 & 255))
  case 3: bytes += [UInt8(word >> 10 & 255), UInt8(word >> 2 & 255)]
  default: return nil
  }
  return bytes
}
