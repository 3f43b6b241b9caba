// Fovea - the header of a .npy file.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCore

/// The header of a .npy file: magic, version, length and a Python dictionary of three entries,
/// `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
struct NPYHeader: Equatable {
  /// The type of the stored elements.
  var element: NPYElement
  /// Whether the least significant byte comes first.
  var isLittleEndian: Bool
  /// Whether the first index runs fastest.
  var isFortranOrder: Bool
  /// The size of every dimension.
  var shape: [Int]
  /// Where the elements begin.
  var dataOffset: Int

  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  /// More dimensions than this are refused; NumPy itself knows 64.
  private static let maximumRank = 32

  /// Reads a header. Nothing in it is trusted.
  init(parsing bytes: [UInt8]) throws(FoveaError) {
    guard bytes.starts(with: Self.magic) else {
      throw Self.damaged("it does not begin with the six bytes of a .npy file")
    }
    guard bytes.count >= 12 else { throw Self.damaged("it ends inside the header") }
    let start: Int
    let length: Int
    switch bytes[6] {
    case 1:
      start = 10
      length = Int(bytes[8]) | Int(bytes[9]) << 8
    case 2, 3:
      start = 12
      length = (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    default: throw Self.damaged("version \(bytes[6]) is unknown; 1, 2 and 3 are known")
    }
    guard length <= bytes.count - start else {
      throw Self.damaged("its header claims \(length) bytes, and the file is shorter")
    }
    var scanner = PythonLiteralScanner(bytes[start..<start + length])
    let entries = try scanner.dictionary()
    dataOffset = start + length
    isFortranOrder = try Self.fortranOrder(entries["fortran_order"])
    shape = try Self.shape(entries["shape"])
    (element, isLittleEndian) = try Self.elementType(entries["descr"])
  }

  private static func fortranOrder(_ value: PythonLiteral?) throws(FoveaError) -> Bool {
    guard case .boolean(let isFortran) = value else {
      throw damaged("its header has no 'fortran_order' that is True or False")
    }
    return isFortran
  }

  private static func shape(_ value: PythonLiteral?) throws(FoveaError) -> [Int] {
    guard case .tuple(let sizes) = value else {
      throw damaged("its header has no 'shape' that is a tuple")
    }
    guard sizes.count <= maximumRank else {
      throw damaged("its shape has \(sizes.count) dimensions; at most \(maximumRank) are read")
    }
    return sizes
  }

  private static func elementType(
    _ value: PythonLiteral?
  ) throws(FoveaError) -> (element: NPYElement, isLittleEndian: Bool) {
    guard case .string(let text) = value else {
      throw damaged("its header has no 'descr' that is a simple type; records are not read")
    }
    var name = Substring(text)
    var isLittle = true
    if let order = name.first, "<>|=".contains(order) {
      isLittle = order != ">"
      name.removeFirst()
    }
    guard let element = NPYElement(rawValue: String(name)) else {
      throw FoveaError(
        .unsupported,
        "elements of type '\(text)' are not read; known are f2, f4, f8, i1, i2, i4, i8, u1, u2,"
          + " u4 and u8. Convert the array, for example with astype('float32')")
    }
    return (element, isLittle)
  }

  /// A file that breaks the rules.
  static func damaged(_ what: String) -> FoveaError {
    FoveaError(.file, "not a .npy file that can be read: \(what)")
  }
}

/// The element types that are read.
enum NPYElement: String {
  case float16 = "f2"
  case float32 = "f4"
  case float64 = "f8"
  case int8 = "i1"
  case int16 = "i2"
  case int32 = "i4"
  case int64 = "i8"
  case uint8 = "u1"
  case uint16 = "u2"
  case uint32 = "u4"
  case uint64 = "u8"

  var byteCount: Int {
    switch self {
    case .int8, .uint8: 1
    case .float16, .int16, .uint16: 2
    case .float32, .int32, .uint32: 4
    case .float64, .int64, .uint64: 8
    }
  }
}
