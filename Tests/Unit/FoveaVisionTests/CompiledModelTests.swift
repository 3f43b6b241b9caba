// Fovea - tests: compiled files give what the original gives, and are refused when damaged.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaExampleModel
import FoveaInspection
import FoveaTestSupport
import Foundation
import Testing

@Suite struct CompiledModelTests {
  /// How a model is loaded and compiled.
  enum Way: String, CaseIterable {
    case float, coded, int8, calibrated

    func options(for bytes: [UInt8]) throws -> Model.Options {
      switch self {
      case .float: return Model.Options(backend: .float)
      case .coded: return Model.Options(backend: .float(weights: .coded))
      case .int8: return Model.Options(backend: .int8)
      case .calibrated:
        var options = Model.Options(backend: .float)
        options.recordsRanges = true
        let measuring = try Model(bytes: bytes, name: "measured", options: options)
        let session = try Session(model: measuring)
        try CompiledModelTests.fill(session, seed: 1)
        session.run()
        return Model.Options(backend: .int8(calibration: session.activationRanges()))
      }
    }
  }

  /// Noise in every input.
  static func fill(_ session: Session, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for port in session.model.inputs {
      if port.type == .uint8 {
        let bytes = (0..<port.count).map { _ in UInt8.random(in: 0...255, using: &random) }
        try session.setInput(port.name, to: Tensor(shape: port.shape, uint8s: bytes))
      } else {
        let floats = (0..<port.count).map { _ in Float.random(in: -1...1, using: &random) }
        try session.setInput(port.name, to: Tensor(shape: port.shape, floats: floats))
      }
    }
  }

  /// The bits of all outputs for the same noise.
  private func outputs(_ model: Model) throws -> [String: [UInt32]] {
    let session = try Session(model: model)
    try Self.fill(session, seed: 7)
    session.run()
    var outputs: [String: [UInt32]] = [:]
    for port in model.outputs {
      outputs[port.name] = try session.output(port.name).floats().map(\.bitPattern)
    }
    return outputs
  }

  private func checkRoundTrip(_ bytes: [UInt8], _ options: Model.Options) throws {
    let original = try Model(bytes: bytes, name: "m", options: options)
    let compiled = try Model(
      bytes: Model.compile(bytes: bytes, options: options), name: "m",
      options: Model.Options(lastStage: options.lastStage))
    #expect(compiled.isCompiled && !original.isCompiled)
    #expect(compiled.backend == original.backend)
    #expect(compiled.inputs == original.inputs)
    #expect(compiled.outputs == original.outputs)
    #expect(compiled.suppression == original.suppression)
    #expect(compiled.classLabels == original.classLabels)
    #expect(compiled.metadata == original.metadata)
    #expect(compiled.specification.inputs == original.specification.inputs)
    #expect(compiled.specification.outputs == original.specification.outputs)
    #expect(compiled.nodes.map(\.operation) == original.nodes.map(\.operation))
    #expect(compiled.nodes.map(\.label) == original.nodes.map(\.label))
    #expect(compiled.memory.arenaBytes == original.memory.arenaBytes)
    #expect(try outputs(compiled) == outputs(original))
  }

  @Test(arguments: Way.allCases)
  func compiledExamplesGiveTheSameBits(_ way: Way) throws {
    let bytes = ShapesDetector.modelBytes()
    try checkRoundTrip(bytes, way.options(for: bytes))
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: Way.allCases)
  func compiledDetectorsGiveTheSameBits(_ way: Way) throws {
    // Unoptimized, the large ones take a minute each.
    #if DEBUG
      let names = ["yolo-fastest-1.1-raw"]
    #else
      let names = [
        "yolo-fastest-1.1-xl-Int8LUT", "yolo-fastest-1.1-raw", "yolov3-tiny-random-Int8LUT",
      ]
    #endif
    for name in names {
      let bytes = try SharedData.bytes("models/\(name).mlmodel")
      try checkRoundTrip(bytes, way.options(for: bytes))
    }
  }

  @Test(.enabled(if: SharedData.isPresent), arguments: ["models/fixtures", "odd"])
  func everyModelOfAFolderCompiles(_ folder: String) throws {
    for file in try SharedData.files(in: folder, suffix: ".mlmodel") {
      let bytes = try SharedData.bytes("\(folder)/\(file)")
      for backend in [Backend.float, .int8] {
        try checkRoundTrip(bytes, Model.Options(backend: .init(backend)))
      }
    }
  }

  /// What `int8` knows without a calibration is measured by itself, whose bits are the same everywhere.
  @Test func filesWithoutCalibrationAreTheSameOnEveryProcessor() throws {
    let bytes = ShapesDetector.modelBytes()
    let expected = try Model.compile(bytes: bytes, options: Model.Options(backend: .int8))
    for set in InstructionSet.allCases where set.isAvailable {
      let options = Model.Options(backend: .int8, instructionSet: set)
      #expect(try Model.compile(bytes: bytes, options: options) == expected, "\(set)")
    }
  }

  // MARK: Options

  @Test func whatIsSettledInAFileIsRefusedWithTheRemedy() throws {
    let file = try Model.compile(
      bytes: ShapesDetector.modelBytes(), options: Model.Options(backend: .int8))
    let size = ImageSize(width: 8, height: 8)
    let ranges = try #require(Way.calibrated.options(for: ShapesDetector.modelBytes()).backend.int8)
      .calibration
    var recording = Model.Options()
    recording.recordsRanges = true
    var observing = Model.Options()
    observing.observesNodes = true
    for options in [
      recording, observing, Model.Options(backend: .int8(calibration: try #require(ranges))),
      Model.Options(backend: .int8(floatLayers: ["colors"])),
      Model.Options(backend: .blas), Model.Options(backend: .reference),
      Model.Options(backend: .float), Model.Options(lastStage: 0),
      Model.Options(imageSizes: ["image": size]),
      Model.Options(backend: .blas(keepsAllLayers: true)),
      Model.Options(backend: .float(weights: .coded)),
    ] {
      let error = #expect(throws: FoveaError.self) {
        try Model(bytes: file, name: "m", options: options)
      }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("the model it was made from") == true)
    }
    #expect(try Model(bytes: file, name: "m", options: .init(backend: .int8)).backend == .int8)
    #expect(try Model(bytes: file, name: "m").backend == .int8)
  }

  @Test func onlyPackedBackendsAndOriginalsAreCompiled() throws {
    let bytes = ShapesDetector.modelBytes()
    for backend in [Backend.blas, .reference] {
      let error = #expect(throws: FoveaError.self) {
        try Model.compile(bytes: bytes, options: Model.Options(backend: .init(backend)))
      }
      #expect(error?.code == .unsupported)
    }
    let compiled = try Model.compile(bytes: bytes)
    #expect(throws: FoveaError.self) { try Model.compile(bytes: compiled) }
  }

  @Test func aFileStopsWhereItWasCompiledToStop() throws {
    let bytes = ShapesDetector.modelBytes()
    let stopped = Model.Options(backend: .float, lastStage: 0)
    try checkRoundTrip(bytes, stopped)
    let compiled = try Model.compile(bytes: bytes, options: stopped)
    #expect(try Model(bytes: compiled, name: "m").suppression == nil)
  }

  // MARK: Damage

  private func loading(_ bytes: [UInt8]) -> FoveaError? {
    do throws(FoveaError) {
      _ = try Model(bytes: bytes, name: "m")
      return nil
    } catch {
      return error
    }
  }

  @Test func everyTruncationIsRefused() throws {
    let file = try Model.compile(
      bytes: ShapesDetector.modelBytes(), options: Model.Options(backend: .int8))
    for count in stride(from: 0, to: file.count, by: max(1, file.count / 500)) {
      let error = loading(Array(file.prefix(count)))
      #expect(error != nil, "\(count) of \(file.count) bytes")
      #expect(error?.message.isEmpty == false)
    }
    #expect(loading(file + [0]) != nil)
  }

  @Test func everyFlippedBitIsNoticed() throws {
    let file = try Model.compile(
      bytes: ShapesDetector.modelBytes(), options: Model.Options(backend: .int8))
    var random = SplitMix(seed: 11)
    for _ in 0..<3000 {
      var bytes = file
      let place = Int.random(in: 0..<file.count, using: &random)
      bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
      let error = loading(bytes)
      #expect(error != nil, "byte \(place)")
    }
  }

  @Test func otherVersionsAreNamed() throws {
    var file = try Model.compile(bytes: ShapesDetector.modelBytes())
    file[8] = 99
    let error = loading(file)
    #expect(error?.code == .invalidModel)
    #expect(error?.message.contains("version 99") == true)
    #expect(error?.message.contains("compile the original again") == true)
  }

  // MARK: Files

  @Test func mappedFilesOutliveTheirNames() throws {
    let path = FileManager.default.temporaryDirectory.path + "/fovea-\(UUID()).fovea"
    let source = path + ".mlmodel"
    try Data(ShapesDetector.modelBytes()).write(to: URL(fileURLWithPath: source))
    defer { try? FileManager.default.removeItem(atPath: source) }
    let count = try Model.compile(contentsOf: source, to: path)
    let (original, compiled) = (try Model(contentsOf: source), try Model(contentsOf: path))
    #expect(compiled.fileByteCount == count)
    try FileManager.default.removeItem(atPath: path)
    #expect(compiled.isCompiled)
    #expect(try outputs(compiled) == outputs(original))
  }
}
