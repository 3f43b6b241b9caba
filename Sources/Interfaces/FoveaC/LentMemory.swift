// Fovea - memory that C programs look into.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Memory that C programs look into; it is freed with this object.
final class LentMemory: @unchecked Sendable {  // because it is filled before it is shared
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { free(block) } }

  /// Zeros for `count` elements.
  func zeros<Element: BitwiseCopyable>(
    _ type: Element.Type, count: Int
  ) -> UnsafeMutablePointer<Element> {
    guard let block = calloc(max(count, 1), max(MemoryLayout<Element>.stride, 1)) else {
      fatalError("no memory for \(count) elements of \(MemoryLayout<Element>.stride) bytes")
    }
    blocks.append(block)
    return block.bindMemory(to: type, capacity: max(count, 1))
  }

  /// A copy of elements.
  func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = zeros(Element.self, count: elements.count)
    for (index, element) in elements.enumerated() { memory[index] = element }
    return memory
  }

  /// A text with a zero behind it.
  func text(_ text: String) -> UnsafePointer<CChar> {
    UnsafePointer(array(text.utf8.map { CChar(bitPattern: $0) } + [0]))
  }

  /// The same for a text that may be missing.
  func text(_ text: String?) -> UnsafePointer<CChar>? {
    guard let text else { return nil }
    return self.text(text) as UnsafePointer<CChar>
  }
}
