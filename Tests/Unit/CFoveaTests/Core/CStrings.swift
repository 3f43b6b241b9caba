// Fovea - texts as C takes an array of them.
// SPDX-License-Identifier: Apache-2.0

/// Texts as C takes an array of them.
struct CStrings {
  private var characters: [CChar] = []
  private var starts: [Int] = []

  init(_ texts: [String]) {
    for text in texts {
      starts.append(characters.count)
      characters += text.utf8CString
    }
  }

  /// Lends pointers to the texts.
  func withPointers<Result>(
    _ body: (UnsafeBufferPointer<UnsafePointer<CChar>>) throws -> Result
  ) rethrows -> Result {
    try characters.withUnsafeBufferPointer { characters in
      // Without texts there is no base address, and no start either.
      let pointers = starts.compactMap { start in characters.baseAddress.map { $0 + start } }
      return try pointers.withUnsafeBufferPointer(body)
    }
  }
}
