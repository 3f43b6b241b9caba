// Fovea - the types of a tensor's elements.
// SPDX-License-Identifier: Apache-2.0

/// The type of a tensor's elements.
public enum DataType: String, Sendable, Hashable, Codable, CaseIterable {
  /// IEEE 754 binary32.
  case float32
  /// Unsigned bytes, such as pixels.
  case uint8
  /// Signed bytes.
  case int8
  /// Signed 16-bit integers.
  case int16
  /// Signed 32-bit integers.
  case int32

  /// The number of bytes of an element.
  package var byteCount: Int {
    switch self {
    case .float32, .int32: 4
    case .int16: 2
    case .uint8, .int8: 1
    }
  }
}
