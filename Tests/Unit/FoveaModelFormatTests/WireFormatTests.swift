// Fovea - tests: the encoding, lawful and unlawful.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport
import Testing

struct WireFormatTests {
  private let plain = ModelBuilder.network([ModelBuilder.layer(600)])

  private func error(after start: [UInt8]) throws -> ModelFormatError {
    try formatError { _ = try ModelDescription(bytes: plain + start) }
  }

  @Test func unknownFieldsAreSkipped() throws {
    let unknown = ProtobufWriter {
      $0.integer(77, -1)
      $0.float(78, 1)
      $0.double(79, 1)
      $0.string(80, "text")
      $0.tag(81, wire: 3)
      $0.integer(1, 5)
      $0.tag(2, wire: 3)
      $0.string(3, "inside")
      $0.tag(2, wire: 4)
      $0.tag(81, wire: 4)
    }.bytes
    let model = try ModelDescription(bytes: plain)
    #expect(try ModelDescription(bytes: unknown + plain) == model)
    #expect(try ModelDescription(bytes: plain + unknown) == model)
  }

  @Test func knownFieldsOfAnotherWireTypeAreUnknown() throws {
    let odd = ProtobufWriter {
      $0.float(1, 3)
      $0.integer(2, 9)
      $0.integer(500, 9)
      $0.integer(610, 9)
    }.bytes
    #expect(try ModelDescription(bytes: plain + odd) == ModelDescription(bytes: plain))
  }

  @Test func longNumbersAndLastValues() throws {
    let version = ProtobufWriter {
      $0.integer(1, 99)
      $0.integer(1, 3, width: 10)
    }.bytes
    #expect(try ModelDescription(bytes: plain + version).specificationVersion == 3)
  }

  @Test func repeatedNumbersComePackedAndSingle() throws {
    let kind = try ModelBuilder.kind(310) {
      $0.integer(1, 3)
      $0.integers(1, [2, 1])
      $0.integers(1, [])
      $0.integer(1, 0, width: 5)
    }
    #expect(kind == .permute(axes: [3, 2, 1, 0]))
  }

  @Test func brokenEncodingsAreRefused() throws {
    #expect(try error(after: [0x0F]).found == "wire type 7")
    #expect(try error(after: [0x0E]).found == "wire type 6")
    #expect(try error(after: [0x00]).found == "field number 0")
    #expect(try error(after: [0x0C]).found.contains("never began"))
    #expect(try error(after: [0x80]).code == .truncated)
    #expect(try error(after: [0x08] + [UInt8](repeating: 0xFF, count: 11)).found.contains("10"))
    #expect(try error(after: [0x0D, 0, 0, 0]).code == .truncated)
    #expect(try error(after: [0x12, 5, 0]).code == .truncated)
    #expect(
      try error(after: [0x12] + [UInt8](repeating: 0xFF, count: 9) + [1]).code == .truncated)
    #expect(try error(after: [0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0]).code == .malformedEncoding)
  }

  @Test func brokenGroupsAreRefused() throws {
    let open = ProtobufWriter { $0.tag(9, wire: 3) }.bytes
    #expect(try error(after: open).found.contains("does not end"))
    let crossed = ProtobufWriter {
      $0.tag(9, wire: 3)
      $0.tag(10, wire: 4)
    }.bytes
    #expect(try error(after: crossed).found == "the end of group 10")
    let deep = ProtobufWriter { writer in
      for _ in 0..<20000 { writer.tag(9, wire: 3) }
    }.bytes
    #expect(try error(after: deep).found.contains("100 groups"))
  }

  @Test func packedNumbersMustEnd() throws {
    for run: [UInt8] in [[0, 1, 0x80], [UInt8](repeating: 0x80, count: 12)] {
      #expect(throws: ModelFormatError.self) {
        try ModelBuilder.kind(985) { $0.data(1, run) }
      }
    }
  }

  @Test func offsetsPointIntoTheFile() throws {
    let error = try error(after: [0x0F])
    #expect(error.byteOffset == plain.count)
    #expect(error.description.contains("at byte \(plain.count)"))
  }
}
