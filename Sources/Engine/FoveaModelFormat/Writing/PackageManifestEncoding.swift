// Fovea - the manifest of a Core ML package.
// SPDX-License-Identifier: Apache-2.0

/// The manifest of a Core ML package, and the place of the model in it.
package struct PackageManifestEncoding {
  private let model: [UInt8]
  private let constants: [String: [UInt8]]

  /// The folder of the files of constants.
  private static let weights = "weights"
  private static let author = "com.apple.CoreML"

  /// A manifest for a model file, and files of constants by their paths beside it.
  package init(model: [UInt8], constants: [String: [UInt8]]) {
    (self.model, self.constants) = (model, constants)
  }

  /// The path of the model file in the package.
  package var modelPath: [String] { ["Data", Self.author, "model.mlmodel"] }

  /// The manifest as coremltools writes it. Identifiers follow from the files, so that the same
  /// model gives the same package.
  package var bytes: [UInt8] {
    let root = Self.identifier(of: model)
    var entries = [
      (root, "CoreML Model Specification", "model.mlmodel")
    ]
    if !constants.isEmpty {
      let content = constants.sorted { $0.key < $1.key }.flatMap { Array($0.key.utf8) + $0.value }
      entries.append((Self.identifier(of: content), "CoreML Model Weights", Self.weights))
    }
    let items = entries.sorted { $0.0 < $1.0 }.map { identifier, description, name in
      """
              "\(identifier)": {
                  "author": "\(Self.author)",
                  "description": "\(description)",
                  "name": "\(name)",
                  "path": "\(Self.author)/\(name)"
              }
      """
    }
    return Array(
      """
      {
          "fileFormatVersion": "1.0.0",
          "itemInfoEntries": {
      \(items.joined(separator: ",\n"))
          },
          "rootModelIdentifier": "\(root)"
      }

      """.utf8)
  }

  /// A UUID of version 8 (RFC 9562) made of two FNV-1a hashes, one of them begun at another place.
  private static func identifier(of bytes: [UInt8]) -> String {
    var (first, second) = (UInt64(0xCBF2_9CE4_8422_2325), UInt64(0x9E37_79B9_7F4A_7C15))
    for byte in bytes {
      first = (first ^ UInt64(byte)) &* 0x100_0000_01B3
      second = (second ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    first = first & ~0xF000 | 0x8000
    second = second & ~(3 << 62) | 2 << 62
    let digits = hexadecimal(first) + hexadecimal(second)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  private static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
