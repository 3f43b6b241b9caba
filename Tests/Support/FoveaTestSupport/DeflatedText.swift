// Fovea - tests: a text, deflated by another program.
// SPDX-License-Identifier: Apache-2.0

/// A text that zlib 1.2 has deflated.
public enum DeflatedText {
  /// The text.
  public static let bytes = Array(
    (#"{"task": "detect", "names": {"0": "caf\u00e9", "1": "it's \"b\""}, "stride": 32, "#
      + #""end2end": true, "kpt_shape": [17, 3], "note": ""#
      + String(repeating: "ab", count: 200) + #""}"#).utf8)
  /// Its CRC-32.
  public static let checksum = 0x593371D4
  /// With codes of its own.
  public static let dynamic = unhex(
    """
      ed8d310e83400c04bf72da8686e2800285afe422643847201482b0a9107f8ffd8b1468b5c5ce58f2092559d0
      0564561e1565c04a1f164327a28b91dee988911fee2a27b316121286045cc644f739b389a6b6c56baead3675
      3fd8c0b2692f136d7ef1acda32342f7ff25507a0e1ce3f05d70f
    """)
  /// With the fixed codes.
  public static let fixed = unhex(
    """
      ab562a492cce56b252504a492d494d2e51d25150ca4bcc4d2d060a552b1980249213d3624a0d0c522d417286
      2091cc12f5628518a5a41825a55aa058714951664a2a50c2d808c84bcd4b31026220b7a4a8341528905d5012
      5f9c91580052116d68aea3601c0bb224bf0424a09498340a071354aa0500
    """)
  /// As it is, in two blocks.
  public static let stored =
    [0, 100, 0, 155, 255] + bytes[..<100] + [1, 175, 1, 80, 254] + bytes[100...]

  private static func unhex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return (0..<digits.count / 2).map { UInt8(digits[2 * $0] << 4 | digits[2 * $0 + 1]) }
  }
}
