// Fovea - options of operations that a TensorFlow Lite file names itself.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The numbers of a map of a flexbuffer, by their keys. Other values are left out.
///
/// A flexbuffer is read from its end. The width of numbers is stated where they are referred to:
///
///     map: ..., distance to the keys, width of the keys, count | values | types
///     end: distance to the map, its type, width of the distance
struct FlexNumbers {
  private(set) var values: [String: Double] = [:]
  private let bytes: ArraySlice<UInt8>
  private let path: String

  /// The kinds of values that matter here.
  private enum Kind: UInt8 {
    case integer = 1
    case unsigned = 2
    case float = 3
    case indirectInteger = 6
    case indirectUnsigned = 7
    case indirectFloat = 8
    case map = 9
    case boolean = 26
  }

  /// The longest key, and the most values.
  private static let most = 64

  init(_ bytes: ArraySlice<UInt8>, path: String) throws(ModelFormatError) {
    self.bytes = bytes
    self.path = path
    guard bytes.count >= 3, bytes[bytes.endIndex - 2] >> 2 == Kind.map.rawValue else {
      throw malformed("\(bytes.count) bytes that are no map of options")
    }
    let width = Int(bytes[bytes.endIndex - 1])
    let root = bytes.count - 2 - width
    let map = try jump(from: root, width: width)
    try read(map, width: 1 << Int(bytes[bytes.endIndex - 2] & 3))
  }

  private mutating func read(_ map: Int, width: Int) throws(ModelFormatError) {
    let count = try unsigned(at: map - width, width: width)
    guard count <= Self.most else { throw malformed("\(count) options") }
    let keys = try jump(from: map - 3 * width, width: width)
    let keyWidth = try unsigned(at: map - 2 * width, width: width)
    for index in 0..<count {
      let key = try text(at: jump(from: keys + index * keyWidth, width: keyWidth))
      let place = map + index * width
      let type = UInt8(try unsigned(at: map + count * width + index, width: 1))
      guard let kind = Kind(rawValue: type >> 2) else { continue }
      let ownWidth = 1 << Int(type & 3)
      switch kind {
      case .integer: values[key] = try signed(at: place, width: width)
      case .unsigned, .boolean: values[key] = Double(try unsigned(at: place, width: width))
      case .float: values[key] = try float(at: place, width: width)
      case .indirectInteger:
        values[key] = try signed(at: jump(from: place, width: width), width: ownWidth)
      case .indirectUnsigned:
        values[key] = Double(try unsigned(at: jump(from: place, width: width), width: ownWidth))
      case .indirectFloat:
        values[key] = try float(at: jump(from: place, width: width), width: ownWidth)
      case .map: continue
      }
    }
  }

  // MARK: Numbers

  /// A place that a distance leads back to.
  private func jump(from place: Int, width: Int) throws(ModelFormatError) -> Int {
    place - (try unsigned(at: place, width: width))
  }

  private func bits(at place: Int, width: Int) throws(ModelFormatError) -> UInt64 {
    guard [1, 2, 4, 8].contains(width), place >= 0, place <= bytes.count - width else {
      throw malformed("\(width) bytes at byte \(place) of \(bytes.count)")
    }
    return (0..<width).reduce(0) {
      $0 | UInt64(bytes[bytes.startIndex + place + $1]) << UInt64(8 * $1)
    }
  }

  /// A count or a distance; none is longer than the options.
  private func unsigned(at place: Int, width: Int) throws(ModelFormatError) -> Int {
    Int(clamping: min(try bits(at: place, width: width), UInt64(Int32.max)))
  }

  private func signed(at place: Int, width: Int) throws(ModelFormatError) -> Double {
    let shift = UInt64(64 - 8 * width)
    return Double(Int64(bitPattern: try bits(at: place, width: width) << shift) >> Int64(shift))
  }

  private func float(at place: Int, width: Int) throws(ModelFormatError) -> Double {
    let bits = try bits(at: place, width: width)
    switch width {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: throw malformed("a number of \(width) bytes")
    }
  }

  private func text(at place: Int) throws(ModelFormatError) -> String {
    var key: [UInt8] = []
    while key.count < Self.most {
      let byte = UInt8(try unsigned(at: place + key.count, width: 1))
      if byte == 0 { return String(decoding: key, as: UTF8.self) }
      key.append(byte)
    }
    throw malformed("a key of more than \(Self.most) bytes")
  }

  private func malformed(_ found: String) -> ModelFormatError {
    ModelFormatError(
      .malformedEncoding, byteOffset: bytes.startIndex, fieldPath: path, found: found,
      expected: "a map of options")
  }
}
