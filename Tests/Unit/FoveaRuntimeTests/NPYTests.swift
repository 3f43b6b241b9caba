// Fovea - .npy files, those that NumPy writes and those that nobody should.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct NPYTests {
  /// A file with a header of our choice.
  static func file(_ header: String, version: UInt8 = 1, _ data: [UInt8]) -> [UInt8] {
    let length = header.utf8.count
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [version, 0]
    bytes += (0..<(version == 1 ? 2 : 4)).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    return bytes + Array(header.utf8) + data
  }

  static func header(_ type: String, _ shape: String, fortran: Bool = false) -> String {
    "{'descr': '\(type)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': \(shape), }\n"
  }

  /// The bytes of numpy.save for numpy.array([[1, -2]], dtype="<i4").
  @Test func theBytesAreThoseOfNumPy() throws {
    let text = "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2), }"
    let padded = text + String(repeating: " ", count: 118 - text.utf8.count - 1) + "\n"
    let expected = Self.file(padded, [1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF])
    let tensor = try Tensor(shape: [1, 2], int32s: [1, -2])
    #expect(tensor.npyBytes().count % 64 == 8)
    #expect(try Tensor(npy: expected) == tensor)
    #expect(try Tensor(npy: tensor.npyBytes()) == tensor)
    #expect(tensor.npyBytes().suffix(8) == expected.suffix(8))
  }

  @Test func everyTypeThereAndBack() throws {
    let tensors = [
      try Tensor(shape: [2, 2], floats: [1.5, -.infinity, .leastNonzeroMagnitude, 0]),
      try Tensor(shape: [3], uint8s: [0, 128, 255]),
      try Tensor(shape: [1, 2], int8s: [-128, 127]),
      try Tensor(shape: [], int32s: [.min]), try Tensor.zeros(shape: [0, 4]),
      try tensor([2, 3, 4]).transposed(),
    ]
    for tensor in tensors {
      let bytes = tensor.npyBytes()
      #expect(try Tensor(npy: bytes) == tensor)
      #expect((10 + Int(bytes[8]) + Int(bytes[9]) << 8) % 64 == 0)
    }
  }

  @Test(arguments: [UInt8(1), 2, 3])
  func versionsByteOrdersAndIndexOrders(version: UInt8) throws {
    let big = Self.file(
      Self.header(">f4", "(2,)"), version: version, [0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0])
    #expect(try Tensor(npy: big).floats() == [1, -2])
    let fortran = Self.file(
      Self.header("|u1", "(2, 3)", fortran: true), version: version, [1, 2, 3, 4, 5, 6])
    let tensor = try Tensor(npy: fortran)
    #expect(tensor.shape == [2, 3])
    #expect(tensor.uint8s() == [1, 3, 5, 2, 4, 6])
    let long = Self.file(
      Self.header("<i8", "(1L,)"), version: version, [0xFF] + [UInt8](repeating: 0xFF, count: 7))
    #expect(try Tensor(npy: long).int32s() == [-1])
  }

  @Test func otherNumbersBecomeTheNearestType() throws {
    func values(_ type: String, _ bytes: [UInt8]) throws -> [Float] {
      try Tensor(npy: Self.file(Self.header(type, "(1,)"), bytes)).floats()
    }
    #expect(try values("<f2", [0x00, 0x3C]) == [1])
    #expect(try values("<f2", [0x01, 0x80]) == [-0x1p-24])
    #expect(try values(">f2", [0x7C, 0x00]) == [.infinity])
    #expect(try values("<f8", [0, 0, 0, 0, 0, 0, 0xF8, 0x3F]) == [1.5])
    #expect(try values("<i2", [0xFE, 0xFF]) == [-2])
    #expect(try values("<u2", [0xFE, 0xFF]) == [65534])
    #expect(try values(">u4", [0, 0, 1, 0]) == [256])
    let large = Self.file(Self.header("<u4", "(1,)"), [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(#expect(throws: FoveaError.self) { try Tensor(npy: large) }?.code == .unsupported)
  }

  @Test func typesThatAreNotReadAreNamed() throws {
    for type in ["|b1", "<c8", "<U3", "|O", "<f16", "", "<"] {
      let bytes = Self.file(Self.header(type, "(1,)"), [UInt8](repeating: 0, count: 16))
      let error = #expect(throws: FoveaError.self) { try Tensor(npy: bytes) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("'\(type)'") == true)
    }
  }

  @Test func hostileHeadersAreRefused() throws {
    let good = Self.file(Self.header("|u1", "(2, 3)"), [1, 2, 3, 4, 5, 6])
    for count in 0..<good.count {
      #expect(throws: FoveaError.self) { try Tensor(npy: Array(good[..<count])) }
    }
    let shapes = [
      "(9223372036854775807, 2)", "(99999999999999999999,)", "(4294967296, 4294967296, 0)", "(-1,)",
      "(1, 2", "1", "(a,)", "()()", "(7,)", "(\(String(repeating: "1, ", count: 40)))",
    ]
    for shape in shapes {
      let bytes = Self.file(Self.header("|u1", shape), [1, 2, 3, 4, 5, 6])
      #expect(throws: FoveaError.self, "\(shape)") { try Tensor(npy: bytes) }
    }
    let headers = [
      "", "{", "{}", "[]", "{'descr': '|u1'}", "{'descr': [('a', '<f4')], 'shape': (1,)}",
      "{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1,)}",
      "{'descr': '|u1', 'fortran_order': 0, 'shape': (1,)}",
      "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)} more",
      "{'descr': '|u1, 'fortran_order': False, 'shape': (1,)}",
      String(repeating: "{", count: 60000), String(repeating: "(", count: 60000),
    ]
    for header in headers {
      #expect(throws: FoveaError.self, "\(header.prefix(60))") {
        try Tensor(npy: Self.file(header, [1, 2, 3]))
      }
    }
    var wrongVersion = good
    wrongVersion[6] = 4
    #expect(throws: FoveaError.self) { try Tensor(npy: wrongVersion) }
    var huge = Self.file(Self.header("|u1", "(2, 3)"), version: 2, [1])
    for index in 8..<12 { huge[index] = 0xFF }
    #expect(throws: FoveaError.self) { try Tensor(npy: huge) }
  }

  @Test func filesAreNamedInMessages() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("fovea-\(UUID().uuidString).npy").path
    let tensor = try tensor([3, 5])
    try tensor.write(to: path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try Tensor(contentsOf: path) == tensor)
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
    for broken in [path, path + ".missing", FileManager.default.temporaryDirectory.path] {
      let error = #expect(throws: FoveaError.self) { try Tensor(contentsOf: broken) }
      #expect(error?.code == .file)
      #expect(error?.message.hasPrefix(broken) == true)
    }
    #expect(throws: FoveaError.self) { try tensor.write(to: path + "/no/folder.npy") }
  }

  @Test(.enabled(if: SharedData.isPresent))
  func filesOfNumPyItself() throws {
    let image = try Tensor(
      contentsOf: SharedData.url("references/inputs/dog-320x320.npy").path)
    #expect(image.dataType == .uint8)
    #expect(image.shape == [320, 320, 3])
  }
}
