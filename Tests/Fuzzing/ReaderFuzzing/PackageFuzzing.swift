// Fovea - fuzzing: packages, programs and their constants.
// SPDX-License-Identifier: Apache-2.0
import FoveaInspection
import FoveaModelFormat
import FoveaRuntime
import FoveaTestSupport

enum PackageFuzzing {
  /// The files of a package by their numbers.
  static let paths = [
    ProgramExamples.manifestPath, ProgramExamples.modelPath, ProgramExamples.weightsPath,
    "Data/com.apple.CoreML/weights/0-weight.bin", "Data/model.mlmodel", "Data/weights/weight.bin",
  ]

  /// The constants of all examples, for programs alone.
  static let weights: [[UInt8]] = Array(
    Set(ProgramExamples.all.compactMap { $0.files[ProgramExamples.weightsPath] })
  ).sorted { $0.count < $1.count }

  /// A package is described or refused with words.
  static func readPackage(_ bytes: [UInt8]) {
    do throws(ModelFormatError) {
      ProgramFuzzing.check(try model(FuzzedFolder(bytes, paths: paths)))
    } catch {
      promise(!error.found.isEmpty && !error.expected.isEmpty, "an error without words")
    }
  }

  /// The same for a model file beside whose program lie constants.
  static func readProgram(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let folder = FuzzedFolder(["weights/weight.bin": weights[Int(first) % weights.count]])
    do throws(ModelFormatError) {
      let bytes = Array(bytes.dropFirst())
      let model = try ModelDescription(bytes: bytes, folder: folder)
      let outline = try ModelDescription(outline: ModelOutline.bytes(of: bytes))
      promise(
        outline.inputs == model.inputs && outline.outputs == model.outputs
          && outline.functions == model.functions, "an outline of another model")
      ProgramFuzzing.check(model)
    } catch {
      promise(!error.found.isEmpty && !error.expected.isEmpty, "an error without words")
    }
  }

  /// Constants of a type lie inside their file, or are refused with words. The first three bytes are
  /// the type, the place and the number of elements.
  static func readBlobs(_ bytes: [UInt8]) {
    guard bytes.count >= 3 else { return }
    let types = [10, 11, 13, 21, 22, 23, 25, 31, 32, 33, 35, 36, 37, 38, 39, 40, 41, 24, 1]
    var writer = ProgramWriter()
    let constant = writer.constant(
      .blob(
        type: types[Int(bytes[0]) % types.count], [Int(bytes[2])],
        offset: Int(bytes[1] & 63) * 64
          + (bytes[1] >= 192 ? 1 : 0)))
    writer.add("identity", ["x": .value(constant)])
    let folder = FuzzedFolder(["weights/weight.bin": Array(bytes.dropFirst(3))])
    do throws(ModelFormatError) {
      ProgramFuzzing.check(try ModelDescription(bytes: writer.model(), folder: folder))
    } catch {
      promise(!error.found.isEmpty && !error.expected.isEmpty, "an error without words")
    }
  }

  /// A package runs on every backend that it loads for.
  static func load(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let file: ModelDescription
    do throws(ModelFormatError) {
      file = try model(FuzzedFolder(Array(bytes.dropFirst()), paths: paths))
    } catch { return }
    run(file, first, byteCount: bytes.count)
  }

  /// A program as text runs on every backend that it loads for. It reads arrays and writes "y".
  static func runText(_ bytes: [UInt8]) {
    guard let first = bytes.first, var file = template else { return }
    let folder = FuzzedFolder(["weights/weight.bin": weights[0]])
    do throws(ModelFormatError) {
      let program = try TensorProgram(text: Array(bytes.dropFirst()), folder: folder)
      file.inputs = (program.functions["main"]?.inputs ?? []).map { input in
        guard case .tensor(let type) = input.type else { return FeatureDescription(input.name) }
        return FeatureDescription(input.name, shape: type.knownShape ?? [])
      }
      file.body = .program(program)
    } catch { return }
    run(file, first, byteCount: bytes.count)
  }

  private static let template: ModelDescription? = {
    let example = ProgramExamples.all.first { $0.name == "relu" }
    return try? model(FuzzedFolder(example?.files ?? [:]))
  }()

  /// The program of an example.
  static func program(of example: ProgramExamples.Package) -> TensorProgram? {
    guard case .program(let program)? = (try? model(FuzzedFolder(example.files)))?.body else {
      return nil
    }
    return program
  }

  private static func run(_ file: ModelDescription, _ first: UInt8, byteCount: Int) {
    ModelFuzzing.run(first) { options throws(FoveaError) in
      try Model(file: file, name: "fuzzed", fileByteCount: byteCount, options: options)
    }
  }

  private static func model(_ folder: FuzzedFolder) throws(ModelFormatError) -> ModelDescription {
    let package = try ModelPackage(folder)
    return try ModelDescription(bytes: package.model, folder: package.folder)
  }
}

extension FeatureDescription {
  /// An array.
  fileprivate init(_ name: String, shape: [Int] = []) {
    self.init(name: name, type: .multiArray(MultiArrayFeature(shape: shape, dataType: .float32)))
  }
}
