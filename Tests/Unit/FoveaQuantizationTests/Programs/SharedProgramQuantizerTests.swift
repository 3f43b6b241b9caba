// Fovea - tests of stored ML Programs with fewer bits for their weights.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent)) struct SharedProgramQuantizerTests {
  private static func path(_ name: String) -> String {
    SharedData.url("mlprogram/\(name)/model.mlpackage").path
  }

  static let models = ["yolov8-fp32", "yolo11-fp16-ios18", "enc-fp16-ios16"]

  /// Options, and the noise that the outputs may have.
  static let forms: [(options: QuantizationOptions, noise: Double)] = [
    (.init(bits: 8), 0.002), (.init(bits: 6), 0.03), (.init(bits: 4), 0.2),
    (.init(kind: .linear), 0.005),
  ]

  /// The bytes of a package are what the bits promise, they say what was chosen, and every backend runs
  /// them.
  @Test(.enabled(if: BuildConfiguration.isSwiftOptimized), arguments: models)
  func sizesAndOutputsAreThoseOfTheBits(_ name: String) throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    let path = Self.path(name)
    let quantizer = try ModelQuantizer(contentsOf: path)
    let expected = try ProgramRun.outputs(path, .reference)
    var sizes: [Int] = []
    for form in Self.forms {
      let result = try quantizer.quantize(form.options)
      try WrittenPackage.check(result)
      let output = folder.path("b.mlpackage")
      try result.write(to: output)
      #expect(try PackageFolder.byteCount(output) == result.byteCount)
      sizes.append(result.byteCount)
      for layer in result.layers {
        guard let bits = layer.bits else { continue }
        // Codes, a table or scales, and at most three records of 64 bytes at multiples of 64.
        let codes = (layer.weightCount * bits + 7) / 8
        #expect(layer.byteCount >= codes && layer.byteCount <= codes + 2000, "\(layer.name)")
      }
      for backend in ProgramRun.backends {
        let noise = ProgramRun.noise(try ProgramRun.outputs(output, backend), expected)
        if ProcessInfo.processInfo.environment["FOVEA_PRINT_ERRORS"] != nil {
          print(
            "NOISE", name, form.options.kind, form.options.bits, backend.backend, noise,
            result.byteCount, quantizer.byteCount)
        }
        #expect(noise < form.noise + (backend.backend == .int8 ? 0.05 : 0), "\(backend): \(noise)")
      }
    }
    #expect(sizes[2] < sizes[1] && sizes[1] < sizes[0] && sizes[0] < quantizer.byteCount)
  }

  /// Two functions with the same weights: each array is stored once.
  @Test func functionsShareWeights() throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    let path = Self.path("multifunction")
    let result = try ModelQuantizer(contentsOf: path).quantize(.init(kind: .linear))
    try result.write(to: folder.path("b.mlpackage"))
    let package = try PlainPackage(model: result.bytes, files: result.constants)
    package.checkFiles()
    let places = ["small", "large"].map { function in
      Set(
        (package.functions[function] ?? []).compactMap { $0.constants["data"]?.place?.offset })
    }
    #expect(!places[0].isEmpty && places[0] == places[1])
    for function in ["small", "large"] {
      let expected = try ProgramRun.outputs(path, .reference, function: function)
      let found = try ProgramRun.outputs(folder.path("b.mlpackage"), .float, function: function)
      #expect(ProgramRun.noise(found, expected) < 0.005)
    }
  }

  /// The network of a pipeline is coded; its suppression stage stays byte for byte.
  @Test(arguments: ["pipeline-yolo11-nms", "pipeline-yolov8-nms-agnostic"])
  func pipelinesKeepTheirSuppression(_ name: String) throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    let path = Self.path(name)
    let result = try ModelQuantizer(contentsOf: path).quantize(.init(kind: .linear))
    try WrittenPackage.check(result, function: "0.main")
    let old = PlainMessage(
      try SharedData.bytes("mlprogram/\(name)/model.mlpackage/Data/com.apple.CoreML/model.mlmodel"))
    let new = PlainMessage(result.bytes)
    #expect(new.message(202)?.all(1).last == old.message(202)?.all(1).last)
    #expect(new.first(2) == old.first(2))
    #expect(new.number(1) == 7 && new.message(202)?.messages(1).first?.number(1) == 7)
    try result.write(to: folder.path("b.mlpackage"))
    let model = try Model(contentsOf: folder.path("b.mlpackage"))
    #expect(model.outputs.count == 2)
  }

  /// Weights that are codes already are decoded first.
  @Test(arguments: ["enc-palette6-ios16", "enc-int8-ios18", "enc-palette4-int8-tables-ios18"])
  func codesAreDecodedFirst(_ name: String) throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    let path = Self.path(name)
    let quantizer = try ModelQuantizer(contentsOf: path)
    let result = try quantizer.quantize(.init(bits: 2, groupedBits: 2))
    #expect(result.byteCount < quantizer.byteCount && result.layers.contains { $0.bits == 2 })
    try WrittenPackage.check(result)
    try result.write(to: folder.path("b.mlpackage"))
    let noise = ProgramRun.noise(
      try ProgramRun.outputs(folder.path("b.mlpackage"), .float),
      try ProgramRun.outputs(path, .reference))
    #expect(noise < 1)
  }
}
