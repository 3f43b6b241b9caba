// Fovea - tests of fovea-bench variants.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaTestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent && !BenchCommandTests.isDebug))
struct VariantsCommandTests {
  private static let data = SharedData.url("coco128-train").path
  /// A small detector and few images; a larger one and more in the thorough tier.
  private static let model = SharedData.url(
    "models/yolo-fastest-1.1-\(TestTier.isThorough ? "xl" : "raw").mlmodel"
  ).path
  private static let imageCount = TestTier.isThorough ? 12 : 6

  /// Every form with every backend, the files as large as they are on the disk, and accuracy that float
  /// backends share.
  @Test func everyFormHasARowForEveryBackend() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (json, kept) = (folder.path("variants.json"), folder.path("kept"))
    let (csv, svg) = (folder.path("variants.csv"), folder.path("variants.svg"))
    let run = try CommandRun.fovea(
      [
        "variants", Self.model, "--images", Self.data + "/images", "--annotations",
        Self.data + "/instances.json", "--first", "\(Self.imageCount)",
        "--weights", "float32,float16,table-4", "--backends", "blas,float,int8", "--rounds", "2",
        "--json", json, "--keep", kept, "--csv", csv, "--svg", svg, "--machine", "here, now",
      ], product: "fovea-bench")
    #expect(run.status == 0, "\(run.errors)")
    let measured = "\(Self.imageCount / 2) images measured (of \(Self.imageCount) by name, every"
    #expect(run.output.contains(measured))
    let document = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: json)))
    let tables = try #require((document as? [String: Any])?["tables"] as? [String: Any])
    let rows = try #require(tables["variants"] as? [[String: Any]])
    #expect(rows.count == 15)
    func number(_ weights: String, _ backend: String, _ key: String) throws -> Double {
      let row = rows.first {
        $0["weights"] as? String == weights && $0["backend"] as? String == backend
      }
      return try #require(row?[key] as? Double, "\(weights) \(backend) \(key)")
    }
    for weights in ["float32", "float16", "table-4"] {
      let precision = try number(weights, "float", "ap")
      #expect(abs(try number(weights, "blas", "ap") - precision) < 1e-6)
      #expect(try precision > 0.05 && number(weights, "float", "ap50") >= precision)
      let files = ["int8 calibrated": "-int8-calibrated.fovea", "int8 mixed": "-int8-mixed.fovea"]
      for backend in ["blas", "float", "int8", "int8 calibrated", "int8 mixed"] {
        #expect(try number(weights, backend, "minimum_ms") > 0)
        #expect(try number(weights, backend, "minimum_ms") <= number(weights, backend, "median_ms"))
        #expect(try number(weights, backend, "resident_mib") > 0.1)
        let path = "\(kept)/\(weights)\(files[backend] ?? ".mlmodel")"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(try number(weights, backend, "file_bytes") == attributes[.size] as? Double)
      }
    }
    let mixed = try number("float32", "int8 mixed", "file_bytes")
    #expect(try mixed > number("float32", "int8 calibrated", "file_bytes"))
    let float = try number("float32", "float", "file_bytes")
    #expect(try number("float16", "float", "file_bytes") < 0.56 * float)
    #expect(try number("table-4", "float", "file_bytes") < 0.3 * float)
    let drawing = try String(contentsOfFile: svg, encoding: .utf8)
    #expect(drawing.contains(">table-4, float<") && drawing.contains(">float32, int8 mixed<"))
    // The file of figures gives the same drawing.
    let again = folder.path("again.svg")
    let plot = try CommandRun.fovea(
      ["plot", "variants", csv, "-o", again], product: "fovea-bench")
    #expect(plot.status == 0 && plot.errors == "", "\(plot.errors)")
    #expect(plot.output.contains("| table-4 | float |"))
    #expect(try String(contentsOfFile: again, encoding: .utf8) == drawing)
    #expect(drawing.contains("here, now"))
  }

  @Test(arguments: [
    ["--weights", "float32,float8"], ["--split", "thirds"], ["--backends", "gpu"],
    ["--size-plot", "a.svg"], ["--first", "1"],
  ])
  func wrongUsageEndsWithTwo(_ more: [String]) throws {
    let run = try CommandRun.fovea(
      [
        "variants", Self.model, "--images", Self.data + "/images", "--annotations",
        Self.data + "/instances.json",
      ] + more, product: "fovea-bench")
    #expect(run.status == 2 && run.output == "" && run.errors.contains("usage: fovea-bench"))
  }

  @Test func filesThatDoNotFitAreFailures() throws {
    for (model, annotations) in [
      (Self.model, Self.data + "/none.json"), (Self.data + "/none.mlmodel", "/instances.json"),
    ] {
      let run = try CommandRun.fovea(
        [
          "variants", model, "--images", Self.data + "/images", "--annotations",
          annotations.hasPrefix(Self.data) ? annotations : Self.data + annotations,
        ], product: "fovea-bench")
      #expect(run.status == 1 && run.output == "" && run.errorLines.count == 1)
    }
  }
}
