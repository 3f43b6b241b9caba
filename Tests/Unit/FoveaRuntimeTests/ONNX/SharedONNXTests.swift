// Fovea - stored ONNX models give the outputs of an independent evaluator.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct SharedONNXTests {
  static let cases = ProgramCase.all(extension: "onnx")
  static let quantized = cases.filter { $0.name.contains("qdq") }
  /// One of its outputs has no elements, which is refused.
  static let emptyOutput = (case: "onnx-ops-index", name: "split_n_3")

  @Test(.enabled(if: SharedData.isPresent), arguments: cases)
  func modelGivesTheStoredOutputs(_ stored: ProgramCase) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var (path, without): (String?, String?)
    if stored.name == Self.emptyOutput.case {
      without = Self.emptyOutput.name
      path = try folder.write("model.onnx", Self.withoutOutput(SharedData.bytes(stored.model)))
    }
    for backend in SharedProgramTests.backends {
      try stored.check(backend, at: path, without: without)
    }
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: quantized)
  func quantizedModelRunsInItsOwnCodes(_ stored: ProgramCase) throws {
    try stored.check(.int8)
    let path = SharedData.url(stored.model).path
    let codes = try Model(contentsOf: path, options: .init(backend: .int8))
    let floats = try Model(contentsOf: path, options: .init(backend: .float))
    #expect(codes.memory.weightBytes < floats.memory.weightBytes / 2)
  }

  @Test(.enabled(if: SharedData.isPresent))
  func outputWithoutElementsIsNamed() throws {
    let path = SharedData.url("mlprogram/\(Self.emptyOutput.case)/model.onnx").path
    let error = #expect(throws: FoveaError.self) { try Model(contentsOf: path) }
    #expect(error?.message.contains("\"split_n_3\" of Split") == true, "\(error?.message ?? "")")
  }

  /// The file with one output (field 12) as a remark (13).
  private static func withoutOutput(_ bytes: [UInt8]) throws -> [UInt8] {
    let name = [0x0A, UInt8(emptyOutput.name.utf8.count)] + Array(emptyOutput.name.utf8)
    let place = try #require(
      bytes.indices.dropFirst(2).first { index in
        bytes[index - 2] == 12 << 3 | 2 && bytes[index...].starts(with: name)
      })
    var bytes = bytes
    bytes[place - 2] = 13 << 3 | 2
    return bytes
  }
}
