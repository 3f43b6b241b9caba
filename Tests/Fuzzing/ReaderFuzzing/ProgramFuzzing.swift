// Fovea - fuzzing: programs as text, and compiled models.
// SPDX-License-Identifier: Apache-2.0
import FoveaModelFormat
import FoveaTestSupport

/// Files in memory, also as one run of bytes: for each file the number of its path, its size in two
/// bytes, and its content, of which the last may be shorter.
struct FuzzedFolder: ModelFolder {
  private(set) var files: [String: [UInt8]] = [:]

  /// The files of a compiled model by their numbers.
  static let compiledPaths = [
    "model.mil", "coremldata.bin", "weights/weight.bin", "modelNames/coremldata.bin",
    "model.espresso.net", "model0/model.mil", "model0/coremldata.bin",
    "model0/weights/weight.bin", "model1/model.mil", "model1/coremldata.bin",
    "model1/weights/weight.bin", "model0/model0/model.mil", "model0/model0/coremldata.bin",
  ]

  init(_ files: [String: [UInt8]]) { self.files = files }

  init(_ bytes: [UInt8], paths: [String] = compiledPaths) {
    var rest = bytes[...]
    while rest.count > 3 {
      let start = rest.startIndex
      let size = Int(rest[start + 1]) | Int(rest[start + 2]) << 8
      let content = rest.dropFirst(3).prefix(size)
      files[paths[Int(rest[start]) % paths.count]] = Array(content)
      rest = rest[content.endIndex...]
    }
  }

  /// The files as one run of bytes.
  func bytes(paths: [String] = compiledPaths) -> [UInt8] {
    paths.enumerated().flatMap { number, path in
      files[path].map { content in
        [UInt8(number), UInt8(content.count & 0xFF), UInt8(content.count >> 8)] + content
      } ?? []
    }
  }

  func bytes(at path: ModelPath) throws(ModelFormatError) -> StoredBytes? {
    files[path.description].map { StoredBytes($0) }
  }
}

enum ProgramFuzzing {
  private static let weights = FuzzedFolder(["weights/weight.bin": CompiledExample.weights])

  /// A text is a program whose constants are as large as they say, or is refused with words and a
  /// place.
  static func readText(_ bytes: [UInt8]) {
    do throws(ModelFormatError) {
      check(try TensorProgram(text: bytes, folder: weights))
    } catch {
      promise(!error.found.isEmpty && !error.expected.isEmpty, "an error without words")
      promise(error.fieldPath.hasPrefix("model.mil"), "an error without a file: \(error)")
      promise(
        (0...bytes.count).contains(error.byteOffset ?? 0), "an error beyond the file: \(error)")
    }
  }

  /// A compiled model has an outline that says the same, or is refused with words.
  static func readFolder(_ bytes: [UInt8]) {
    let folder = FuzzedFolder(bytes)
    do throws(ModelFormatError) {
      let model = try ModelDescription(compiled: folder)
      let outline = try ModelDescription(outline: ModelOutline.outline(compiled: folder))
      promise(
        outline.inputs == model.inputs && outline.outputs == model.outputs
          && outline.metadata == model.metadata && outline.functions == model.functions
          && outline.specificationVersion == model.specificationVersion
          && outline.stages.map(\.name) == model.stages.map(\.name),
        "an outline of another model")
      check(model)
    } catch {
      promise(!error.found.isEmpty && !error.expected.isEmpty, "an error without words")
    }
  }

  /// Constants are as large as they say.
  static func check(_ model: ModelDescription) {
    switch model.body {
    case .pipeline(let pipeline): for stage in pipeline.stages { check(stage.model) }
    case .program(let program): check(program)
    default: break
    }
  }

  private static func check(_ program: TensorProgram) {
    for function in program.functions.values {
      for operation in function.operations {
        promise(!operation.results.isEmpty, "an operation without results")
        for case .constant(let constant) in operation.arguments.values.joined() {
          check(constant)
        }
      }
    }
  }

  private static func check(_ constant: TensorConstant) {
    let isWhole =
      switch constant.content {
      case .bytes(let bytes): bytes.count == constant.element.byteCount(constant.count)
      case .strings(let texts): texts.count == constant.count && constant.element == .string
      }
    promise(isWhole, "a constant of another size than its type: \(constant)")
  }
}
