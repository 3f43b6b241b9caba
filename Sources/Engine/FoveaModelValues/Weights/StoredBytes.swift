// Fovea - bytes of a file that stay where they are.
// SPDX-License-Identifier: Apache-2.0

/// Who keeps bytes in memory: an array, or a mapped file.
package protocol ByteOwner: AnyObject, Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// Lends the bytes, which never change, for the time of the call.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result
}

/// A run of bytes of a file. Copies are cheap, and keep the file in memory.
public struct StoredBytes: Sendable {
  private let owner: any ByteOwner
  private let range: Range<Int>

  /// All bytes of an owner.
  package init(_ owner: any ByteOwner) {
    self.owner = owner
    range = 0..<owner.count
  }

  /// A copy of bytes.
  public init(_ bytes: [UInt8]) {
    self.init(ArrayOwner(bytes))
  }

  private init(_ owner: any ByteOwner, _ range: Range<Int>) {
    self.owner = owner
    self.range = range
  }

  /// The number of bytes.
  public var count: Int { range.count }

  /// Whether there are none.
  public var isEmpty: Bool { range.isEmpty }

  /// A part of the bytes.
  ///
  /// - Precondition: The part lies within the bytes.
  public subscript(part: Range<Int>) -> StoredBytes {
    precondition(part.lowerBound >= 0 && part.upperBound <= count, "no such bytes")
    return StoredBytes(
      owner, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
  }

  /// Whose bytes these are, and how many that one keeps in memory.
  var source: (owner: ObjectIdentifier, byteCount: Int) { (ObjectIdentifier(owner), owner.count) }

  /// The bytes as an array of their own. Complexity: O(count).
  public var array: [UInt8] { withBytes { [UInt8]($0) } }

  /// Lends the bytes.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try owner.withBytes { bytes throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }
}

extension StoredBytes: Equatable {
  /// Whether the bytes are the same, wherever they lie.
  public static func == (left: StoredBytes, right: StoredBytes) -> Bool {
    guard left.count == right.count else { return false }
    if left.owner === right.owner, left.range == right.range { return true }
    return left.withBytes { left in right.withBytes { right in left.elementsEqual(right) } }
  }
}

/// Bytes of an array.
private final class ArrayOwner: ByteOwner {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = bytes.withUnsafeBytes { bytes in
      Swift.Result { () throws(Failure) in try body(bytes) }
    }
    return try result.get()
  }
}
