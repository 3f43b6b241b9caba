// Fovea - reading what a C program hands over.
// SPDX-License-Identifier: Apache-2.0

/// Reading what a C program hands over. All of it may be wrong, but pointers lead where they say.
enum CallerMemory {
  /// No structure of the interface is larger: a greater size was never written.
  private static let greatestSize = 1 << 16

  /// A copy of a structure, which begins with its size. What a newer program has behind the members
  /// that are known here is left out.
  ///
  /// - Parameter name: The type's name, for messages.
  static func structure<Structure: BitwiseCopyable>(
    _ pointer: UnsafePointer<Structure>, _ name: String
  ) throws(CallFailure) -> Structure {
    try checkSize(UnsafeRawPointer(pointer).loadUnaligned(as: Int.self), Structure.self, name)
    return UnsafeRawPointer(pointer).loadUnaligned(as: Structure.self)
  }

  /// Copies of structures that lie one behind the other, as far apart as the first one's size says.
  ///
  /// - Parameter oldest: The size that the structure had at first; members behind it are zeros where
  ///   the caller does not know them.
  static func structures<Structure: BitwiseCopyable>(
    _ pointer: UnsafePointer<Structure>?, count: Int, _ name: String, oldest: Int? = nil
  ) throws(CallFailure) -> [Structure] {
    guard count != 0 else { return [] }
    guard let pointer else { throw .invalid("no \(name) was given (NULL) for a count of \(count)") }
    guard (1...greatestCount).contains(count) else {
      throw .invalid("\(count) structures \(name) are too many; at most \(greatestCount) are read")
    }
    let start = UnsafeRawPointer(pointer)
    let distance = start.loadUnaligned(as: Int.self)
    var result: [Structure] = []
    for index in 0..<count {
      let place = start + index * distance
      let size = place.loadUnaligned(as: Int.self)
      try checkSize(size, Structure.self, name, least: oldest)
      guard size == distance else {
        throw .invalid(
          "structure \(index) of \(name) says that it has \(size) bytes, the first one \(distance);"
            + " all must have the same size")
      }
      result.append(known(place, size))
    }
    return result
  }

  /// A structure of which a caller knows so many bytes.
  private static func known<Structure: BitwiseCopyable>(
    _ place: UnsafeRawPointer, _ size: Int
  ) -> Structure {
    withUnsafeTemporaryAllocation(of: Structure.self, capacity: 1) { memory in
      let bytes = UnsafeMutableRawBufferPointer(memory)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      let known = min(size, bytes.count)
      bytes.copyMemory(from: UnsafeRawBufferPointer(start: place, count: known))
      return bytes.load(as: Structure.self)
    }
  }

  private static let greatestCount = 1 << 20

  private static func checkSize<Structure>(
    _ size: Int, _ type: Structure.Type, _ name: String, least: Int? = nil
  ) throws(CallFailure) {
    let least = least ?? MemoryLayout<Structure>.size
    guard (least...greatestSize).contains(size) else {
      throw .invalid(
        "\(name) says that it has \(size) bytes; expected at least \(least). Set its member `size`"
          + " to sizeof(\(name)), or call \(name)_init if there is one.")
    }
  }

  /// Fills in a structure as far as the caller has room for it. A program that is older than the
  /// library has fewer members.
  static func fill<Structure: BitwiseCopyable>(
    _ pointer: UnsafeMutablePointer<Structure>?, size: Int, with value: Structure
  ) {
    guard let pointer, size >= MemoryLayout<Int>.size else { return }
    let known = min(size, MemoryLayout<Structure>.size)
    withUnsafeBytes(of: value) { bytes in
      UnsafeMutableRawPointer(pointer).copyMemory(from: bytes.baseAddress!, byteCount: known)
    }
    UnsafeMutableRawPointer(pointer).storeBytes(of: size, as: Int.self)
    guard size > known, size <= greatestSize else { return }
    (UnsafeMutableRawPointer(pointer) + known).initializeMemory(
      as: UInt8.self, repeating: 0, count: size - known)
  }

  /// A text that has to be there.
  static func text(
    _ pointer: UnsafePointer<CChar>?, _ name: String
  ) throws(CallFailure) -> String {
    guard let pointer else { throw .invalid("no \(name) was given (NULL)") }
    guard let text = String(validatingCString: pointer) else {
      throw .invalid("the \(name) is not UTF-8; give it another name")
    }
    return text
  }

  /// A copy of bytes.
  static func bytes(
    _ pointer: UnsafeRawPointer?, count: Int
  ) throws(CallFailure) -> [UInt8] {
    try [UInt8](lent(pointer, count: count))
  }

  /// Bytes where they lie.
  static func lent(
    _ pointer: UnsafeRawPointer?, count: Int
  ) throws(CallFailure) -> UnsafeRawBufferPointer {
    guard count >= 0 else {
      throw .invalid("\(UInt(bitPattern: count)) bytes are more than memory can hold")
    }
    guard count == 0 || pointer != nil else {
      throw .invalid("no bytes were given (NULL) for a count of \(count)")
    }
    return UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : count)
  }

  /// One of the values of an enumeration.
  static func choice<Value>(
    _ number: Int32, _ values: [Value], _ name: String
  ) throws(CallFailure) -> Value {
    guard values.indices.contains(Int(number)) else {
      throw .invalid("\(name) is \(number); expected 0 to \(values.count - 1)")
    }
    return values[Int(number)]
  }

  /// Where a call leaves what it makes; `NULL` is stored first.
  static func target<Value>(
    _ pointer: UnsafeMutablePointer<Value?>?, _ name: String
  ) throws(CallFailure) -> UnsafeMutablePointer<Value?> {
    guard let pointer else { throw .invalid("\(name) is NULL; give the address of a variable") }
    pointer.pointee = nil
    return pointer
  }
}
