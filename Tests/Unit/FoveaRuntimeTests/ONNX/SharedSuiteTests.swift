// Fovea - cases of other projects' own test suites.
// SPDX-License-Identifier: Apache-2.0
import FoveaRuntime
import FoveaTestSupport
import Testing

@Suite struct SharedSuiteTests {
  /// Cases that are refused, and in which words.
  static let refusals = [
    "onnx-attention-window": "without causal masks, windows",
    "onnx-dropout-training": "it is in training mode",
    "onnx-resize-upsample-scales-cubic-runtime": "its input 2 depends on what the model is given",
    "onnx-resize-upsample-scales-nearest-runtime": "its input 2 depends on what the model is given",
    "onnx-split-nothing": "no elements",
  ]

  static let names: [String] = {
    guard SharedData.isPresent else { return [] }
    let names = (try? SharedData.files(in: "suites")) ?? []
    return names.filter { $0.contains("-") && !$0.hasPrefix("slow") }
  }()

  @Test(.enabled(if: SharedData.isPresent), arguments: names)
  func caseIsRightOrRefused(_ name: String) throws {
    let files = try SharedData.files(in: "suites/\(name)")
    let file = try #require(files.first { $0.hasPrefix("model.") })
    let path = SharedData.url("suites/\(name)/\(file)").path
    if let words = Self.refusals[name] {
      let error = #expect(throws: FoveaError.self) { try Model(contentsOf: path) }
      let message = try #require(error).message
      #expect(message.contains(words) && !message.contains("damaged"), "\(message)")
      return
    }
    let session = try Session(model: try Model(contentsOf: path))
    for file in files where file.hasPrefix("in_") {
      let tensor = try Tensor(npy: SharedData.bytes("suites/\(name)/\(file)"))
      try session.setInput(String(file.dropFirst(3).dropLast(4)), to: tensor)
    }
    session.run()
    for file in files where file.hasPrefix("expected_") {
      let wanted = try Tensor(npy: SharedData.bytes("suites/\(name)/\(file)"))
      let found = try session.output(String(file.dropFirst(9).dropLast(4)))
      #expect(found.shape == wanted.shape)
      #expect(zip(found.floats(), wanted.floats()).allSatisfy { abs($0 - $1) < 1e-4 })
    }
  }
}
