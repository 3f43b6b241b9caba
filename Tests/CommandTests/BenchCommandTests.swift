// Fovea - tests of the benchmark program.
// SPDX-License-Identifier: Apache-2.0
import FoveaExampleModel
import Foundation
import Testing

@Suite struct BenchCommandTests {
  #if DEBUG
    static let isDebug = true
  #else
    static let isDebug = false
  #endif
  static let bench = "\"$(dirname \"$FOVEA\")/fovea-bench\""

  private func bench(_ arguments: String...) throws -> CommandRun {
    try CommandRun.fovea(arguments, product: "fovea-bench")
  }

  @Test(
    .enabled(if: isDebug),
    arguments: [
      "latency", "model", "kernels", "pipeline", "image", "sampling", "suppression", "memory",
      "cold", "weights", "variants", "soak",
    ])
  func debugBuildsMeasureNothing(_ command: String) throws {
    let run = try bench(command, "m")
    #expect(run.status == 2 && run.output == "" && run.errorLines.count == 1)
    #expect(run.errors.contains("this is a debug build"))
  }

  @Test func helpAndBackendsAreAnsweredByAnyBuild() throws {
    let help = try bench("latency", "--help")
    #expect(help.status == 0 && help.output.contains("usage: fovea-bench latency MODEL"))
    let backends = try bench("backends")
    #expect(backends.status == 0)
    #expect(backends.output.split(separator: "\n").contains("blas"))
  }

  @Test(
    .enabled(if: !isDebug),
    arguments: [
      ["latency"], ["latency", "m", "--backend", "gpu"], ["latency", "m", "--threads", "0"],
      ["latency", "m", "--protocol", "--threads", "1,2"], ["model", "m", "--rounds", "none"],
      ["latency", "m", "--instruction-set", "mmx"],
      ["latency", "m", "--backend", "blas", "--instruction-set", "avx2"], ["kernels"],
      ["pipeline", "m"], ["cold", "m"], ["frobnicate"], ["memory", "m", "--runs", "0"],
      ["image"], ["image", "a.jpg", "--size", "416"], ["image", "a.jpg", "--size", "0x9"],
      ["suppression", "m"], ["suppression", "--thresholds", "0.5,2"], ["sampling", "12"],
      ["sampling", "0x7"], ["sampling", "--to", "0"], ["sampling", "--format", "cmyk"],
      ["suppression", "--protocol"], ["suppression", "--side", "400"],
      ["suppression", "--confidence", "c.npy"], ["suppression", "--rule", "some"],
    ])
  func wrongUsageEndsWithTwo(_ arguments: [String]) throws {
    let run = try CommandRun.fovea(arguments, product: "fovea-bench")
    #expect(run.status == 2)
    #expect(run.output == "" && run.errors.contains("usage: fovea-bench"))
  }

  @Test(.enabled(if: !isDebug)) func theProtocolAnswersEveryLineWithSoManyTimes() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.shell(
      "printf '2\\n0\\n3\\n' | \(Self.bench) latency '\(files.model)' --backend blas --protocol")
    #expect(run.status == 0 && run.errors == "")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 5 && lines.first == "ready" && lines.last == "")
    let times = lines.dropFirst().dropLast().map { $0.split(separator: " ").map { Double($0) } }
    #expect(times.map(\.count) == [2, 0, 3])
    #expect(times.joined().allSatisfy { $0.map { $0 > 0 } == true })
  }

  @Test(.enabled(if: !isDebug)) func samplingIsTimedForEverySetAndFilter() throws {
    let run = try bench("sampling", "33x21", "--to", "16", "--format", "nv12", "--rounds", "2")
    #expect(run.status == 0 && run.errors == "")
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    let rows = lines.filter { $0.first == "33x21" }
    #expect(
      rows.map { $0[2...3].joined(separator: " ") }.sorted() == [
        "area 0", "area 90", "bilinear 0", "bilinear 90",
      ])
    #expect(rows.joined().contains("scalar") == false && run.output.contains("scalar min ms"))
    #expect(rows.allSatisfy { $0.dropFirst(4).allSatisfy { Double($0).map { $0 >= 0 } == true } })
  }

  @Test(.enabled(if: !isDebug)) func theProtocolRefusesWhatIsNoNumber() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try CommandRun.shell(
      "echo many | \(Self.bench) latency '\(files.model)' --backend blas --protocol")
    #expect(run.status == 1 && run.output == "ready\n" && run.errors.contains("'many'"))
  }

  @Test(.enabled(if: !isDebug)) func figuresGoToFilesAsWell() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let (json, csv, svg) = ("j.json", "c.csv", "s.svg")
    let run = try bench(
      "model", files.model, "--rounds", "2", "--backends", "blas,reference", "--json",
      files.folder.path(json), "--csv", files.folder.path(csv), "--svg", files.folder.path(svg))
    #expect(run.status == 0 && run.errors == "")
    let data = try Data(contentsOf: files.folder.url.appendingPathComponent(json))
    let document = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let tables = try #require(document["tables"] as? [String: [[String: Any]]])
    let operations = try #require(tables["operations"])
    #expect(operations.contains { ($0["blas_minimum_ms"] as? Double ?? 0) > 0 })
    #expect(operations.contains { ($0["reference_gmac_per_second"] as? Double ?? 0) > 0 })
    #expect(tables["total"]?.count == 2)
    let rows = try String(contentsOfFile: files.folder.path(csv), encoding: .utf8)
    #expect(rows.hasPrefix("label,operation,output_shape,mmac,blas_minimum_ms"))
    let drawing = try String(contentsOfFile: files.folder.path(svg), encoding: .utf8)
    #expect(drawing.hasPrefix("<svg") && drawing.contains("reference, 1 thread"))
  }

  @Test(.enabled(if: !isDebug)) func imageReadsDecodesAndSamples() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let table = try bench("image", files.image, "--size", "64x48", "--rounds", "2")
    #expect(table.status == 0 && table.output.contains("file to 64 x 48 bytes"))
    #expect(table.output.contains("\n\(ShapesImage.width) x \(ShapesImage.height) "))
    let timed = try CommandRun.shell(
      "echo 2 | \(Self.bench) image '\(files.image)' --protocol")
    #expect(timed.status == 0 && timed.output.split(whereSeparator: \.isWhitespace).count == 3)
    let array = files.folder.path("input.npy")
    #expect(try bench("image", files.image, "--size", "64x48", "--dump", array).status == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: array))
    #expect(bytes.count % 64 == 0 && bytes.count > 48 * 64 * 3)
    #expect(String(decoding: bytes.prefix(128), as: UTF8.self).contains("(48, 64, 3)"))
    let nothing = try bench("image", "/nowhere/a.jpg")
    #expect(nothing.status == 1 && nothing.errors.contains("/nowhere/a.jpg: there is no such file"))
  }

  /// Also with broken images and files: descriptors stay as many, and the parts are all there.
  @Test(.enabled(if: !isDebug)) func aSoakLeavesNothingOpen() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try bench(
      "soak", files.model, "--frames", "100", "--images", "60", "--cycles", "60", "--allowed",
      "32")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let rows = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    for (part, turns) in [("frames", "100"), ("images", "60"), ("cycles", "60")] {
      let row = try #require(rows.first { $0.first?.elementsEqual(part) == true })
      #expect(row.count == 8 && row[1] == turns && row[7] == "0", "\(row)")
    }
  }

  @Test(.enabled(if: !isDebug)) func pipelineAndMemoryAndColdPrintTheirTables() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let pipeline = try bench("pipeline", files.model, files.image, "--rounds", "2")
    #expect(pipeline.status == 0)
    for stage in ["decode", "prepare", "inference", "postprocess", "total"] {
      #expect(pipeline.output.contains("\n\(stage) "))
    }
    #expect(!pipeline.output.contains("\n0 objects"))
    let memory = try bench("memory", files.model, "--runs", "3")
    #expect(memory.status == 0 && memory.output.contains("\nfirst run "))
    let cold = try bench("cold", files.model, files.image, "--starts", "2")
    #expect(cold.status == 0 && cold.output.contains("\nblas "))
    let failed = try bench("cold", files.model, files.folder.path("nothing.png"), "--starts", "2")
    #expect(failed.status == 1 && failed.errors.contains("ended with exit code 1"))
  }

  @Test(.enabled(if: !isDebug)) func kernelsReadShapesFromFiles() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let good = try folder.write("good.txt", Array("tiny 4 8 3 1 8 8 1 yes\n".utf8))
    let run = try bench("kernels", good, "--rounds", "2", "--backends", "blas")
    #expect(run.status == 0 && run.output.contains("\ntiny  4 x 8 x 8"))
    let bad = try folder.write("bad.txt", Array("# one\ntiny 4\n".utf8))
    let refused = try bench("kernels", bad)
    #expect(refused.status == 1 && refused.errors.contains("bad.txt:2: 2 words"))
  }

  private static let smallHeads = ["--side", "64", "--classes", "5"]

  @Test(.enabled(if: !isDebug)) func suppressionCountsAndTimes() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let json = folder.path("s.json")
    let run = try CommandRun.fovea(
      ["suppression", "--rounds", "2", "--json", json] + Self.smallHeads, product: "fovea-bench")
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.hasPrefix("random heads, 60 boxes x 5 classes, multiLabel, IoU 0.45"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: json)))
        as? [String: Any])
    let rows = try #require(
      (document["tables"] as? [String: [[String: Any]]])?["suppression"])
    #expect(rows.map { $0["threshold"] as? String } == ["0.25", "0.001"])
    let counts = rows.map { ($0["candidates"] as? Int ?? -1, $0["kept"] as? Int ?? -1) }
    #expect(counts.allSatisfy { $0.1 <= $0.0 } && counts[1].1 > counts[0].1)
    for row in rows {
      let parts = ["decode", "scan", "suppress", "total", "objects"].map {
        row[$0 + "_minimum_ms"] as? Double ?? 0
      }
      #expect(parts.allSatisfy { $0 > 0 })
      // But for the last digit, which reading decimals may change.
      #expect(parts[3] >= (parts[0] + parts[1] + parts[2]) * (1 - 1e-12))
    }
  }

  @Test(.enabled(if: !isDebug)) func whatIsDumpedKeepsTheSameWhenItIsRead() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (first, second) = (folder.path("first"), folder.path("second"))
    for rule in ["multiLabel", "bestClass"] {
      let options = ["--rule", rule, "--iou", "0.1", "--dump"]
      let decoded = try CommandRun.fovea(
        ["suppression"] + Self.smallHeads + options + [first], product: "fovea-bench")
      let read = try bench(
        "suppression", "--confidence", first + "/confidence.npy", "--coordinates",
        first + "/coordinates.npy", "--rule", rule, "--iou", "0.1", "--dump", second)
      #expect(decoded.status == 0 && read.status == 0 && decoded.output + read.output == "")
      for name in ["confidence", "coordinates", "kept-0.25", "kept-0.001"] {
        let files = try [first, second].map {
          try Data(contentsOf: URL(fileURLWithPath: "\($0)/\(name).npy"))
        }
        #expect(files[0].count > 64 && files[0] == files[1], "\(rule) \(name)")
      }
    }
    let broken = try bench(
      "suppression", "--confidence", first + "/none.npy", "--coordinates",
      first + "/coordinates.npy")
    #expect(broken.status == 1 && broken.errors.contains("none.npy"))
  }

  @Test(.enabled(if: !isDebug)) func bothFormsOfTheWeightsAreTimed() throws {
    let files = try ExampleFiles()
    defer { files.remove() }
    let run = try bench("weights", files.model, "--rounds", "2", "--threads", "1,2")
    #expect(run.status == 0, "\(run.errors)")
    let rows = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.filter { $0.contains("expanded") }.count == 2)
    #expect(rows.filter { $0.contains("packed") }.count == 2)
    let compiled = files.folder.path("m.fovea")
    #expect(try CommandRun.fovea(["compile", files.model, "-o", compiled]).status == 0)
    let refused = try bench("weights", compiled)
    #expect(refused.status == 1 && refused.errors.contains("name the original"))
  }

  @Test(.enabled(if: !isDebug)) func suppressionSpeaksTheProtocol() throws {
    let run = try CommandRun.shell(
      "printf '2\\n1\\n' | \(Self.bench) suppression --side 64 --thresholds 0.001 --protocol")
    #expect(run.status == 0 && run.errors == "")
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.first == ["ready"] && lines.dropFirst().map(\.count) == [2, 1])
    #expect(lines.dropFirst().joined().allSatisfy { (Double($0) ?? 0) > 0 })
  }
}
