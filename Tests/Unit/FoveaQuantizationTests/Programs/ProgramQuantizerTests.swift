// Fovea - tests of ML Programs with fewer bits for their weights.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaModelFormat
import FoveaQuantization
import FoveaTestSupport
import Testing

@Suite struct ProgramQuantizerTests {
  /// A program with all kinds of layers, in a package.
  private func withPackage(
    operationSet: Int, isHalf: Bool = false, _ body: (PackageFolder, String) throws -> Void
  ) throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    var file = ProgramFile(operationSet: operationSet, isHalf: isHalf)
    try body(folder, try folder.package("a.mlpackage", file.single()))
  }

  /// A form of codes, and the noise of the outputs that it may make.
  struct Form: Sendable, CustomTestStringConvertible {
    var operationSet: Int
    var isHalf: Bool
    var options: QuantizationOptions
    var noise: Double

    var testDescription: String {
      "CoreML\(operationSet) \(isHalf ? "fp16" : "fp32") \(options.kind.rawValue)"
        + " \(options.bits)\(options.sharesScale ? " shared" : "")"
    }
  }

  static let forms: [Form] = [(5, false), (6, true), (7, false), (8, true), (9, false)].flatMap {
    set, isHalf -> [Form] in
    let tables: [(Int, Double)] = [(1, 1), (2, 0.6), (4, 0.08), (6, 0.005)]
    var forms = tables.map { bits, noise in
      Form(
        operationSet: set, isHalf: isHalf,
        options: QuantizationOptions(bits: bits, groupedBits: max(bits, 2)), noise: noise)
    }
    if set >= 8 {
      forms.append(
        Form(
          operationSet: set, isHalf: isHalf, options: .init(bits: 3, groupedBits: 3), noise: 0.3))
      forms.append(
        Form(
          operationSet: set, isHalf: isHalf,
          options: .init(kind: .linear, bits: 4, groupedBits: 4), noise: 0.1))
    }
    for shares in [false, true] {
      forms.append(
        Form(
          operationSet: set, isHalf: isHalf,
          options: .init(kind: .linear, bits: 8, sharesScale: shares), noise: 2e-3))
    }
    forms.append(
      Form(
        operationSet: set, isHalf: isHalf, options: .init(kind: .linearTable, bits: 4),
        noise: 0.2))
    return forms
  }

  /// Codes in the bytes of the package are the chosen ones, and the model runs.
  @Test(arguments: forms) func codesAreWritten(_ form: Form) throws {
    try withPackage(operationSet: form.operationSet, isHalf: form.isHalf) { folder, path in
      let quantizer = try ModelQuantizer(contentsOf: path)
      let result = try quantizer.quantize(form.options)
      let kinds = try WrittenPackage.check(result)
      let wanted =
        form.options.kind != .linear
        ? "constexpr_lut_to_dense"
        : form.operationSet >= 8 ? "constexpr_blockwise_shift_scale" : "constexpr_affine_dequantize"
      #expect(!kinds.isEmpty && kinds.allSatisfy { $0 == wanted }, "\(kinds)")
      #expect(result.layers.count == 5)
      let package = try PlainPackage(model: result.bytes, files: result.constants)
      #expect(package.version == max(form.operationSet + 1, 7))
      #expect(package.operationSets == ["main": "CoreML\(max(form.operationSet, 6))"])
      let output = folder.path("b.mlpackage")
      try result.write(to: output)
      #expect(try PackageFolder.byteCount(output) == result.byteCount)
      #expect(result.byteCount < quantizer.byteCount || form.options.bits > 4)
      let expected = try ProgramRun.outputs(path, .reference)
      for backend in ProgramRun.backends {
        let noise = ProgramRun.noise(try ProgramRun.outputs(output, backend), expected)
        let limit = form.noise + (backend.backend == .int8 ? 0.02 : 0)
        #expect(noise < limit, "\(backend.backend): \(noise)")
      }
    }
  }

  /// Names, types and everything that is no weight stay.
  @Test func theRestOfTheFileStays() throws {
    try withPackage(operationSet: 5) { _, path in
      let result = try ModelQuantizer(contentsOf: path).quantize(.init(bits: 4, groupedBits: 4))
      let text = String(decoding: result.bytes, as: Unicode.ASCII.self)
      for kept in [
        "what it is for", "a field of the program", "a field of up", "the name of w_first",
        "the name of b_dense",
      ] {
        #expect(text.contains(kept), "\(kept)")
      }
      var file = ProgramFile(operationSet: 5)
      let (model, constants) = file.single()
      let before = try PlainPackage(model: model, files: ["weights/weight.bin": constants])
      let after = try PlainPackage(model: result.bytes, files: result.constants)
      let (old, new) = (try #require(before.functions["main"]), after.functions["main"] ?? [])
      #expect(old.count == new.count)
      for (old, new) in zip(old, new) {
        #expect(old.results.map(\.name) == new.results.map(\.name))
        #expect(old.results.map(\.type) == new.results.map(\.type))
        #expect(old.results.map(\.shape) == new.results.map(\.shape))
        #expect(old.inputs == new.inputs)
        let isWeight = old.results[0].name.hasPrefix("w_")
        #expect(old.kind == new.kind || (old.kind == "const" && isWeight))
      }
    }
  }

  /// A table of 256 numbers takes more bytes than the halves of small layers.
  @Test func weightsThatCodesWouldNotMakeSmallerStay() throws {
    try withPackage(operationSet: 6, isHalf: true) { _, path in
      let result = try ModelQuantizer(contentsOf: path).quantize(.init(bits: 8))
      for layer in result.layers {
        // Codes and a table against halves, each with a record of 64 bytes at a multiple of 64. The
        // operation that decodes takes up to 200 bytes more than a constant.
        let padded = { (bytes: Int) in 64 + (bytes + 63) / 64 * 64 }
        let (codes, halves) = (
          padded(layer.weightCount) + padded(512), padded(2 * layer.weightCount)
        )
        let isSmaller = codes + 200 < halves
        #expect(layer.bits == (isSmaller ? 8 : nil), "\(layer.name)")
        #expect(layer.byteCount == (isSmaller ? codes : halves))
      }
      #expect(result.layers.contains { $0.bits == nil })
    }
  }

  /// A program whose weights all stay needs no newer operations.
  @Test func operationSetsStayWhereNothingIsCoded() throws {
    try withPackage(operationSet: 5, isHalf: true) { _, path in
      let result = try ModelQuantizer(contentsOf: path).inHalfPrecision()
      #expect(result.layers.allSatisfy { $0.bits == nil })
      let package = try PlainPackage(model: result.bytes, files: result.constants)
      #expect(package.version == 6 && package.operationSets == ["main": "CoreML5"])
      package.checkFiles()
    }
  }

  @Test func theSameInputGivesTheSamePackage() throws {
    try withPackage(operationSet: 8, isHalf: true) { folder, path in
      for name in ["b.mlpackage", "c.mlpackage"] {
        try ModelQuantizer(contentsOf: path).quantize(.init(bits: 4)).write(to: folder.path(name))
      }
      for file in [
        "Manifest.json", "Data/com.apple.CoreML/model.mlmodel",
        "Data/com.apple.CoreML/weights/weight.bin",
      ] {
        #expect(
          FileManager.default.contentsEqual(
            atPath: folder.path("b.mlpackage/\(file)"), andPath: folder.path("c.mlpackage/\(file)"))
        )
      }
    }
  }

  @Test func codesBecomeOtherCodes() throws {
    for set in [6, 8] {
      try withPackage(operationSet: set) { folder, path in
        let expected = try ProgramRun.outputs(path, .reference)
        try ModelQuantizer(contentsOf: path).quantize(.init(kind: .linear)).write(
          to: folder.path("b.mlpackage"))
        let again = try ModelQuantizer(contentsOf: folder.path("b.mlpackage")).quantize(
          .init(bits: 4, groupedBits: 4))
        #expect(again.layers.contains { $0.bits == 4 })
        try WrittenPackage.check(again)
        try again.write(to: folder.path("b.mlpackage"))
        let found = try ProgramRun.outputs(folder.path("b.mlpackage"), .reference)
        #expect(ProgramRun.noise(found, expected) < 0.08)
      }
    }
  }

  @Test func halvesAreConvertedWhenTheModelIsLoaded() throws {
    try withPackage(operationSet: 5) { folder, path in
      let result = try ModelQuantizer(contentsOf: path).inHalfPrecision()
      #expect(try WrittenPackage.check(result) == Array(repeating: "constexpr_cast", count: 5))
      #expect(result.layers.allSatisfy { $0.bits == 16 && $0.noise < 1e-6 })
      try result.write(to: folder.path("b.mlpackage"))
      let expected = try ProgramRun.outputs(path, .reference)
      let found = try ProgramRun.outputs(folder.path("b.mlpackage"), .float)
      #expect(ProgramRun.noise(found, expected) < 1e-5)
    }
    try withPackage(operationSet: 8, isHalf: true) { _, path in
      let result = try ModelQuantizer(contentsOf: path).inHalfPrecision()
      #expect(result.layers.allSatisfy { $0.bits == nil })
    }
  }

  // MARK: Several functions

  /// Constants that two functions have in common are coded and stored once.
  @Test(arguments: [5, 8]) func functionsShareConstants(operationSet: Int) throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    var file = ProgramFile(operationSet: operationSet)
    let path = try folder.package("a.mlpackage", file.double())
    let result = try ModelQuantizer(contentsOf: path).quantize(.init(bits: 4, groupedBits: 4))
    #expect(result.layers.count == 6)
    let package = try PlainPackage(model: result.bytes, files: result.constants)
    package.checkFiles()
    #expect(Set(package.operationSets.keys) == ["small", "large"])
    for layer in ["first", "depthwise", "shared", "up"] {
      let sources = try ["small", "large"].map {
        try package.source($0, ofLayer: layer, "weight")
      }
      #expect(sources[0].kind == "constexpr_lut_to_dense")
      let places = sources.map { $0.constants["indices"]?.place?.offset }
      #expect(places[0] != nil && places[0] == places[1])
    }
    try result.write(to: folder.path("b.mlpackage"))
    for function in ["small", "large"] {
      let expected = try ProgramRun.outputs(path, .reference, function: function)
      let found = try ProgramRun.outputs(folder.path("b.mlpackage"), .float, function: function)
      #expect(ProgramRun.noise(found, expected) < 0.08)
    }
  }

  /// Layers of all functions are seen: convolutions by their patches, the dense one by its vectors.
  @Test(arguments: [5, 8]) func calibrationSeesAllFunctions(operationSet: Int) throws {
    let folder = try PackageFolder()
    defer { folder.remove() }
    var file = ProgramFile(operationSet: operationSet)
    let path = try folder.package("a.mlpackage", file.double())
    let quantizer = try ModelQuantizer(contentsOf: path)
    let calibrator = try quantizer.makeCalibrator()
    var random = SplitMix(seed: 9)
    for _ in 0..<6 {
      let pixels = (0..<20 * 20 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
      try calibrator.add(Image(width: 20, height: 20, rgb: pixels))
    }
    let options = QuantizationOptions(bits: 4, groupedBits: 4)
    let result = try quantizer.quantize(options, calibrator: calibrator)
    let plain = try quantizer.quantize(options)
    // A transposed convolution has no patches; the others have other codes, and their biases move.
    for (calibrated, plain) in zip(result.layers, plain.layers) {
      #expect((calibrated.noise == plain.noise) == (calibrated.type == "conv_transpose"))
    }
    #expect(result.weights.count { $0.isBias } == 5)
    let package = try PlainPackage(model: result.bytes, files: result.constants)
    package.checkFiles()
    try result.write(to: folder.path("b.mlpackage"))
    try plain.write(to: folder.path("c.mlpackage"))
    for function in ["small", "large"] {
      let outputs = try ["a", "b", "c"].map {
        try ProgramRun.outputs(folder.path("\($0).mlpackage"), .reference, function: function)
      }
      let (calibrated, plain) = (
        ProgramRun.noise(outputs[1], outputs[0]), ProgramRun.noise(outputs[2], outputs[0])
      )
      #expect(calibrated < plain, "\(function): \(calibrated), \(plain)")
    }
  }

  // MARK: Refusals

  @Test func codesThatDoNotExistAreRefused() throws {
    try withPackage(operationSet: 6) { _, path in
      let quantizer = try ModelQuantizer(contentsOf: path)
      for (options, words) in [
        (QuantizationOptions(bits: 3), "export it for iOS 18"),
        (QuantizationOptions(bits: 5), "take one of these: 1, 2, 4, 6, 8"),
        (QuantizationOptions(kind: .linear, bits: 4), "export it for iOS 18"),
        (QuantizationOptions(kind: .linear, bits: 6), "take one of these: 8"),
        (QuantizationOptions(quantizesBiases: true), "biases"),
        (QuantizationOptions(sharesScale: true), "tables have no scales"),
      ] {
        let error = #expect(throws: QuantizationError.self) { try quantizer.quantize(options) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      }
    }
  }

  @Test func packagesReplaceOnlyPackages() throws {
    try withPackage(operationSet: 6) { folder, path in
      let result = try ModelQuantizer(contentsOf: path).quantize(.init(bits: 4))
      try FileManager.default.createDirectory(
        atPath: folder.path("documents"), withIntermediateDirectories: true)
      for name in ["documents", "b.mlmodel", "no/such/folder.mlpackage"] {
        #expect(throws: QuantizationError.self) { try result.write(to: folder.path(name)) }
      }
      try result.write(to: path + "/")
      try result.write(to: folder.path("b.mlpackage"))
      try result.write(to: folder.path("b.mlpackage"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      #expect(names.sorted() == ["a.mlpackage", "b.mlpackage", "documents"])
    }
  }

  @Test func budgetsAreKept() throws {
    try withPackage(operationSet: 8) { folder, path in
      let quantizer = try ModelQuantizer(contentsOf: path)
      let least = try quantizer.quantize(.init(bits: 2, groupedBits: 2)).byteCount
      var noise = Double.infinity
      for budget in [least, least + 300, least + 900] {
        let result = try quantizer.quantize(.init(bits: 6, byteBudget: budget))
        #expect(result.byteCount <= budget)
        let sum = result.layers.reduce(0) { $0 + $1.noise }
        #expect(sum <= noise)
        noise = sum
        try WrittenPackage.check(result)
      }
      // Where there is room for everything, layers stay only where 6 bits would take as many bytes.
      let rich = try quantizer.quantize(.init(bits: 6, byteBudget: 1 << 20))
      for layer in rich.layers {
        #expect(layer.bits == (layer.weightCount > 200 ? 6 : nil), "\(layer.name)")
      }
      #expect(throws: QuantizationError.self) {
        try quantizer.quantize(.init(byteBudget: least - 600))
      }
    }
  }
}
