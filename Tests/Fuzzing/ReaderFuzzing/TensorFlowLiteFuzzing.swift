// Fovea - fuzzing: TensorFlow Lite files.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaRuntime

enum TensorFlowLiteFuzzing {
  /// A file is a program whose constants are as large as they say, or is refused with words.
  static func read(_ bytes: [UInt8]) {
    do throws(ModelFormatError) {
      let file = marked(bytes)
      let model = try ModelDescription(anyFormat: file, fileName: "", folder: EmptyFolder())
      ProgramFuzzing.check(model)
    } catch {
      promise(!error.found.isEmpty && !error.expected.isEmpty, "an error without words")
    }
  }

  /// A model runs on every backend that it loads for. The first byte chooses one.
  static func load(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let file = marked(Array(bytes.dropFirst()))
    ModelFuzzing.run(first) { options throws(FoveaError) in
      try Model(bytes: file, name: "fuzzed", options: options)
    }
  }

  /// The bytes with the mark by which the format is recognized.
  private static func marked(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 8 else { return bytes }
    return bytes[..<4] + Array("TFL3".utf8) + bytes[8...]
  }
}
