// Fovea - tests of commands on models that read arrays.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// Commands give pictures to models that read arrays.
@Suite struct PictureCommandTests {
  /// A classifier of four classes without a word about pictures, and a picture of its size.
  private func files() throws -> (folder: TemporaryFolder, model: String, picture: String) {
    let folder = try TemporaryFolder()
    let model = folder.path("scores.mlmodel")
    try Data(PictureNetworks.scores(hasSoftmax: false)).write(to: URL(fileURLWithPath: model))
    let picture = folder.path("picture.png")
    try Image(
      width: PictureNetworks.columns, height: PictureNetworks.rows, rgb: Self.pixels
    ).write(to: picture, as: .png)
    return (folder, model, picture)
  }

  private static let pixels = (0..<PictureNetworks.rows * PictureNetworks.columns * 3).map {
    UInt8(truncatingIfNeeded: $0 * 71 + $0 / 9)
  }

  /// The softmax of the scores that `fovea run` gives for planes of (pixel * scale + bias).
  private func chances(
    _ model: String, in folder: TemporaryFolder, _ scale: [Double], _ bias: [Double],
    isBlueFirst: Bool = false
  ) throws -> [Double] {
    let plane = PictureNetworks.rows * PictureNetworks.columns
    var floats: [Float] = []
    for channel in isBlueFirst ? [2, 1, 0] : [0, 1, 2] {
      floats += (0..<plane).map {
        Float(Double(Self.pixels[$0 * 3 + channel]) * scale[channel] + bias[channel])
      }
    }
    let (array, out) = (folder.path("array.npy"), folder.path(UUID().uuidString))
    try Tensor(shape: [1, 3, PictureNetworks.rows, PictureNetworks.columns], floats: floats)
      .write(to: array)
    let run = try CommandRun.fovea(["run", model, "--input", "x=" + array, "--output-dir", out])
    #expect(run.status == 0, "\(run.errors)")
    let powers = try Tensor(contentsOf: out + "/y.npy").floats().map { exp(Double($0)) }
    return powers.map { $0 / powers.reduce(0, +) }
  }

  private func classify(_ arguments: [String]) throws -> (chances: [Double], picture: [String: Any])
  {
    let run = try CommandRun.fovea(["classify", "--json"] + arguments)
    try #require(run.status == 0, "\(run.errors)")
    let document = try run.json()
    let image = try #require((document["images"] as? [[String: Any]])?.first)
    let classes = try #require(image["classes"] as? [[String: Any]])
    let found = classes.sorted {
      ($0["labelIndex"] as? Int ?? 0) < ($1["labelIndex"] as? Int ?? 0)
    }
    #expect(found.map { $0["label"] as? String } == ["class 0", "class 1", "class 2", "class 3"])
    return (
      found.compactMap { $0["probability"] as? Double },
      try #require(document["picture"] as? [String: Any])
    )
  }

  @Test func classifiersAreGivenWhatOptionsSay() throws {
    let (folder, model, picture) = try files()
    defer { folder.remove() }
    let mean = [0.485, 0.456, 0.406], deviation = [0.229, 0.224, 0.225]
    for (options, scale, bias, isBlueFirst) in [
      (
        [], deviation.map { 1 / (255 * $0) }, zip(mean, deviation).map { -$0 / $1 }, false
      ),
      (
        ["--scale", "0.0078431", "--bias", "-1"], [0.0078431, 0.0078431, 0.0078431], [-1, -1, -1],
        false
      ),
      (["--scale", "0.01,0.02,0.03", "--color", "bgr"], [0.01, 0.02, 0.03], [0, 0, 0], true),
    ] as [([String], [Double], [Double], Bool)] {
      let (found, report) = try classify([model, picture] + options)
      let expected = try chances(model, in: folder, scale, bias, isBlueFirst: isBlueFirst)
      #expect(
        zip(found, expected).allSatisfy { abs($0 - $1) < 1e-4 }, "\(options): \(found), \(expected)"
      )
      #expect(report["input"] as? String == "x")
      #expect(report["color"] as? String == (isBlueFirst ? "bgr" : "rgb"))
      let stated = try #require(report["scale"] as? [Double])
      #expect(
        zip(isBlueFirst ? stated.reversed() : stated, scale).allSatisfy { abs($0 - $1) < 1e-6 })
      let reason = try #require(report["because"] as? String)
      #expect(reason.contains(options.isEmpty ? "ImageNet" : "options"))
    }
  }

  @Test func wrongNumbersAreWrongUsage() throws {
    let (folder, model, picture) = try files()
    defer { folder.remove() }
    for (options, words) in [
      (["--scale", "0"], "no number may be 0"), (["--scale", "1,2"], "--scale is '1,2'"),
      (["--scale", "nan"], "--scale is 'nan'"), (["--bias", "1,,2"], "--bias is '1,,2'"),
      (["--color", "hsv"], "expected one of rgb, bgr, gray"),
    ] {
      let run = try CommandRun.fovea(["classify", model, picture] + options)
      #expect(run.status == 2 && run.errors.contains(words), "\(options): \(run.errors)")
    }
    for arguments in [["compile", model, "-o", folder.path("out.fovea")], ["inspect", model]] {
      let run = try CommandRun.fovea(arguments + ["--input", "arrays", "--bias", "1"])
      #expect(run.status == 2 && run.errors.contains("leave --input arrays out"), "\(run.errors)")
    }
  }

  @Test func inspectSaysWhatIsAssumed() throws {
    let (folder, model, _) = try files()
    defer { folder.remove() }
    // One row of scores alone is no evidence.
    let arrays = try CommandRun.fovea(["inspect", model])
    #expect(arrays.status == 0 && arrays.output.contains("array float32"))
    #expect(!arrays.output.contains("picture:"))
    let pictures = try CommandRun.fovea(["inspect", model, "--input", "pictures"])
    #expect(pictures.output.contains("image rgb"), "\(pictures.output)")
    #expect(
      pictures.output.contains("picture: 'x' takes pixels * ("), "\(pictures.output)")
    let named = try CommandRun.fovea(["inspect", model, "--scale", "0.5", "--json"])
    let report = try #require(try named.json()["picture"] as? [String: Any])
    #expect(report["scale"] as? [Double] == [0.5, 0.5, 0.5])
    let plain = folder.path("plain.mlmodel")
    var writer = ProgramWriter(inputs: [("x", [1, 4, 6, 8])])
    writer.add("relu", ["x": .value("x")])
    try Data(writer.model()).write(to: URL(fileURLWithPath: plain))
    let run = try CommandRun.fovea(["inspect", plain, "--scale", "0.5"])
    #expect(run.status == 1 && run.errors.contains("1 or 3 channels"), "\(run.errors)")
  }

  @Test func runTakesPicturesForArrays() throws {
    let (folder, model, picture) = try files()
    defer { folder.remove() }
    let out = folder.path("out")
    let run = try CommandRun.fovea([
      "run", model, "--input", "x=" + picture, "--output-dir", out, "--scale", "0.01", "--bias",
      "-1",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["y.npy"])
    let scores = try Tensor(contentsOf: out + "/y.npy").floats().map { exp(Double($0)) }
    let expected = try chances(model, in: folder, [0.01, 0.01, 0.01], [-1, -1, -1])
    let total = scores.reduce(0, +)
    #expect(zip(scores, expected).allSatisfy { abs($0 / total - $1) < 1e-5 })
    var writer = ProgramWriter(inputs: [("x", [1, 4, 6, 8])])
    writer.add("relu", ["x": .value("x")])
    let plain = folder.path("plain.mlmodel")
    try Data(writer.model()).write(to: URL(fileURLWithPath: plain))
    let wrong = try CommandRun.fovea([
      "run", plain, "--input", "x=" + picture, "--output-dir", out,
    ])
    #expect(wrong.status == 1 && wrong.errors.contains("no picture can be"), "\(wrong.errors)")
  }
}

/// A stored detector that reads an array does what one does that reads images.
@Suite(.enabled(if: SharedData.isPresent)) struct PictureDetectionTests {
  @Test func detectorsOfArraysRunInEveryCommand() throws {
    let stored = try StoredCase("nanodet-fp32-ios17-array")
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (images, annotations) = try DetectProgramTests.photographs(in: folder)
    let found = try DetectProgramTests.objects(["--model", stored.model, "--confidence", "0.02"])
    #expect(!found.isEmpty)
    // NanoDet's custom, said in full.
    let named = try DetectProgramTests.objects([
      "--model", stored.model, "--confidence", "0.02", "--color", "bgr",
      "--scale", "0.017124753831663668,0.01750700280112045,0.017429193899782137",
      "--bias", "-2.1179039301310043,-2.0357142857142856,-1.8044444444444445",
    ])
    #expect(named == found)
    let other = try DetectProgramTests.objects([
      "--model", stored.model, "--confidence", "0.02", "--scale", "1",
    ])
    #expect(other != found)
    let evaluation = try CommandRun.fovea([
      "evaluate", stored.model, "--annotations", annotations, "--images", images,
    ])
    #expect(evaluation.status == 0, "\(evaluation.errors)")
    let comparison = try CommandRun.fovea([
      "compare", stored.model, "--backends", "float,int8", "--images", images, "--calibrate",
      images, "--confidence", "0.02", "--json",
    ])
    try #require(comparison.status == 0, "\(comparison.errors)")
    let total = try #require(try comparison.json()["total"] as? [String: Any])
    #expect(try #require(total["matched"] as? Int) > 0)
    let preview = try CommandRun.fovea([
      "preview", "--model", stored.model,
      "\(images)/" + (try SharedData.files(in: "coco128-train/images")[0]),
      "-o", folder.path("seen.png"),
    ])
    #expect(preview.status == 0 && preview.output.contains("96"), "\(preview.errors)")
    let small = folder.path("small.mlpackage")
    let quantization = try CommandRun.fovea([
      "quantize", stored.model, "-o", small, "--calibrate", images,
    ])
    #expect(quantization.status == 0, "\(quantization.errors)")
    #expect(
      !(try DetectProgramTests.objects(["--model", small, "--confidence", "0.02"])).isEmpty)
  }

  /// The network of a case that reads an array, a picture and the array that it stands for.
  @Test(arguments: ["onnx-nanodet-opset11", "nanodet-fp32-ios17-array"])
  func compiledFilesReadPictures(_ name: String) throws {
    let stored = try StoredCase(name)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (pictures, arrays) = (folder.path("pictures.fovea"), folder.path("arrays.fovea"))
    let compiling = try CommandRun.fovea(["compile", stored.model, "-o", pictures])
    try #require(compiling.status == 0, "\(compiling.errors)")
    let threshold = ["--confidence", "0.02"]
    let found = try DetectProgramTests.objects(["--model", pictures] + threshold)
    #expect(try found == DetectProgramTests.objects(["--model", stored.model] + threshold))
    #expect(!found.isEmpty)
    let keeping = try CommandRun.fovea(["compile", stored.model, "-o", arrays, "--input", "arrays"])
    try #require(keeping.status == 0, "\(keeping.errors)")
    let example = stored.examples[0]
    let run = try CommandRun.fovea(
      ["run", arrays, "--output-dir", folder.path("out")]
        + example.inputs.flatMap { ["--input", "\($0)=\($1)"] })
    #expect(run.status == 0, "\(run.errors)")
    for output in example.outputs {
      let found = try Tensor(contentsOf: folder.path("out/\(output.name).npy")).floats()
      let expected = try Tensor(contentsOf: output.file).floats()
      #expect(
        zip(found, expected).allSatisfy { abs(Double($0 - $1)) <= output.tolerance },
        "\(output.name)")
    }
  }

  @Test func openSizesFollowOptionsAndPictures() throws {
    let model = try StoredCase("onnx-yolov8-dynamic").model
    let threshold = ["--model", model, "--confidence", "0.3"]
    // The example's image has 480 x 360 pixels; "imgsz" of the file is 128 x 96.
    let own = try DetectProgramTests.objects(threshold)
    #expect(!own.isEmpty)
    #expect(try DetectProgramTests.objects(threshold + ["--match-aspect"]) == own)
    #expect(try DetectProgramTests.objects(threshold + ["--size", "128x96"]) == own)
    #expect(try DetectProgramTests.objects(threshold + ["--size", "96x96"]) != own)
    let tall = ["--roi", "0,0,0.5,1"]
    #expect(
      try DetectProgramTests.objects(threshold + tall + ["--match-aspect"])
        == DetectProgramTests.objects(threshold + tall + ["--size", "96x128"]))
  }

  @Test func quantizingSendsToConverting() throws {
    let run = try CommandRun.fovea([
      "quantize", try StoredCase("onnx-nanodet-opset11").model, "-o", "small.mlpackage",
    ])
    #expect(run.status == 1 && run.errors.contains("an ONNX file"), "\(run.errors)")
    #expect(run.errors.contains("fovea convert"))
  }
}
