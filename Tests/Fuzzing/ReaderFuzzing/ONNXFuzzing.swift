// Fovea - fuzzing: ONNX files.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport

enum ONNXFuzzing {
  private static let folder = FuzzedFolder([ONNXExamples.dataPath: ONNXExamples.data])

  /// A file is a program whose constants are as large as they say, or is refused with words.
  static func read(_ bytes: [UInt8]) {
    do throws(ModelFormatError) {
      ProgramFuzzing.check(try ModelDescription(onnx: bytes, folder: folder))
    } catch {
      promise(!error.found.isEmpty && !error.expected.isEmpty, "an error without words")
    }
  }

  /// A file runs on the backend that the first byte chooses, or is refused with words.
  static func load(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let file: ModelDescription
    do throws(ModelFormatError) {
      file = try ModelDescription(onnx: Array(bytes.dropFirst()), folder: folder)
    } catch { return }
    ModelFuzzing.run(first) { options throws(FoveaError) in
      try Model(file: file, name: "fuzzed", fileByteCount: bytes.count, options: options)
    }
  }
}
