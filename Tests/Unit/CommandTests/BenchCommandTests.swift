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
      "latency", "model", "kernels", "pipeline", "image", "memory", "loading", "cold", "variants",
      "soak",
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
    ])
  func wrongUsageEndsWithTwo(_ arguments: [String]) throws {
    let run = try CommandRun.fovea(arguments, product: "fovea-bench")
    #expect(run.status == 2)
    #expect(run.output == "" && run.errors.contains("usage: fovea-bench"))
  }

  @Test(arguments: [
    ["plot"], ["plot", "peers", "-o", "a.svg"], ["plot", "peers", "a.csv"],
    ["plot", "apples", "a.csv", "-o", "a.svg"],
  ])
  func wrongUsageOfPlotEndsWithTwoInAnyBuild(_ arguments: [String]) throws {
    let run = try CommandRun.fovea(arguments, product: "fovea-bench")
    #expect(run.status == 2 && run.output == "" && run.errors.contains("usage: fovea-bench"))
  }

  @Test func plotDrawsAndPrintsInAnyBuild() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let figures = try folder.write(
      "p.csv",
      Array(
        """
        network,machine,date,runtime,threads,minimum_ms,to_openvino
        n,m,2026-01-02,fovea int8,1,1.5,0.5

        """.utf8))
    let svg = folder.path("p.svg")
    let run = try bench("plot", "peers", figures, "-o", svg)
    #expect(run.status == 0 && run.errors == "" && run.output.contains("| fovea int8 | 1.50 |"))
    #expect(try String(contentsOfFile: svg, encoding: .utf8).contains("1.50 ms"))
    let broken = try folder.write("b.csv", Array("network\nn\n".utf8))
    for (kind, file, reason) in [
      ("peers", broken, "column 'machine'"), ("variants", broken, "column 'model'"),
      ("peers", folder.path("none.csv"), "cannot be read"),
    ] {
      let failed = try bench("plot", kind, file, "-o", svg)
      #expect(failed.status == 1 && failed.output == "" && failed.errors.contains(reason))
    }
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
}
