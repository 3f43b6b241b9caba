// Fovea - broken packages, compiled folders and ONNX files are refused with a reason.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport
import Foundation
import Testing

@Suite struct BrokenProgramTests {
  /// Models that are broken in one place each.
  static let models: [String] = {
    guard SharedData.isPresent else { return [] }
    let packages = (try? SharedData.files(in: "mlprogram/bad", suffix: ".mlpackage")) ?? []
    let folders = (try? SharedData.files(in: "mlprogram/bad/compiled", suffix: "c")) ?? []
    let files = (try? SharedData.files(in: "mlprogram/bad/onnx", suffix: ".onnx")) ?? []
    return packages + folders.map { "compiled/\($0)" } + files.map { "onnx/\($0)" }
  }()

  @Test(.enabled(if: SharedData.isPresent), arguments: models)
  func brokenModelIsRefused(_ name: String) throws {
    let path = SharedData.url("mlprogram/bad/\(name)").path
    var error: FoveaError?
    let time = threadSeconds {
      error = #expect(throws: FoveaError.self) { try Model(contentsOf: path) }
    }
    let message = try #require(error).message
    if ProcessInfo.processInfo.environment["FOVEA_PRINT_ERRORS"] != nil {
      print("REFUSED", name, message.dropFirst(path.count))
    }
    #expect(message.hasPrefix(path))
    #expect(!message.contains("\n"))
    #expect(message.count < 1000)
    #expect(time < 2)
  }
}
