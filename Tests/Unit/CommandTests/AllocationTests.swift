// Fovea - memory as it is counted, not as it is planned.
// SPDX-License-Identifier: Apache-2.0
import FoveaTestSupport
import Testing

@Suite struct AllocationTests {
  /// What AllocationProbe counted, in bytes and calls.
  private struct Counts {
    var weights, arena, session: Int
    var heldByModel, heldBySession, peak: Int
    var firstRun, laterRuns: Int
    var growth: Int
  }

  /// nil where malloc cannot be counted: a sanitizer has taken it.
  private func probe(_ model: String, backend: String, threads: Int) throws -> Counts? {
    // OpenBLAS's kernels for small products on Skylake-X allocate. Others show what Fovea does.
    let run = try CommandRun.shell(
      "OPENBLAS_CORETYPE=Prescott \"${FOVEA%/*}/AllocationProbe\" '\(model)' \(backend) \(threads)")
    try #require(run.status == 0, "\(run.errors)")
    if run.output.hasPrefix("uncounted") {
      print("*** SKIPPED: allocations are not counted under a sanitizer ***")
      return nil
    }
    let numbers = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 9, "\(run.output)")
    return Counts(
      weights: numbers[0], arena: numbers[1], session: numbers[2], heldByModel: numbers[3],
      heldBySession: numbers[4], peak: numbers[5], firstRun: numbers[6], laterRuns: numbers[7],
      growth: numbers[8])
  }

  @Test(arguments: ["reference", "blas", "float", "int8"], [1, 2])
  func runsAllocateNothing(backend: String, threads: Int) throws {
    let example = try ExampleFiles()
    defer { example.remove() }
    guard let counts = try probe(example.model, backend: backend, threads: threads) else { return }
    #expect(counts.firstRun == 0)
    #expect(counts.laterRuns == 0)
    #expect(counts.peak <= counts.heldByModel + counts.heldBySession + 4096)
    #expect(abs(counts.growth) < 1024, "loading, running and freeing leaves something behind")
  }

  /// YOLOv3-tiny's float weights would be 35.4 million bytes.
  @Test(.enabled(if: SharedData.isPresent), arguments: [1, 2])
  func codedWeightsAreNeverExpanded(threads: Int) throws {
    let path = SharedData.url("models/yolov3-tiny-random-Int8LUT.mlmodel").path
    guard let counts = try probe(path, backend: "blas", threads: threads) else { return }
    let budget = 24 * 1024 * 1024
    #expect(counts.weights + counts.session < budget, "planned")
    #expect(counts.heldByModel + counts.heldBySession < budget, "held")
    #expect(counts.peak < budget, "at the worst moment of a run")
    #expect(counts.heldByModel >= counts.weights)
    #expect(counts.heldBySession >= counts.session)
    #expect(counts.heldBySession < counts.session + 65_536)
    #expect(counts.firstRun == 0)
    #expect(counts.laterRuns == 0)
    #expect(abs(counts.growth) < 1024)
  }

  /// Programs with tables of groups, or with scales of blocks of 8. As floats, their weights would be
  /// 492,804 bytes. What a model holds beside its weights is compared with that of the same network
  /// in halves, where nothing can be expanded in secret.
  @Test(
    .enabled(if: SharedData.isPresent),
    arguments: [
      ("enc-palette4-grouped-ios18", "blas", 100_000), ("enc-int4-block-ios18", "blas", 200_000),
      ("enc-palette3-grouped-ios18", "blas", 86_000),
      // Small and depthwise layers, 245,000 bytes, are floats there.
      ("enc-palette4-grouped-ios18", "coded", 310_000), ("enc-int4-block-ios18", "coded", 370_000),
      ("enc-palette3-grouped-ios18", "coded", 310_000),
    ])
  func codesOfPartsAreNeverExpanded(_ name: String, _ backend: String, _ budget: Int) throws {
    func count(_ name: String) throws -> Counts? {
      let package = SharedData.url("mlprogram/\(name)/model.mlpackage")
      return try probe(package.path, backend: backend, threads: 2)
    }
    guard let counts = try count(name), let halves = try count("enc-fp16-ios16") else { return }
    #expect(counts.weights < budget)
    #expect(
      counts.heldByModel - counts.weights < halves.heldByModel - halves.weights + 32_768)
    #expect(counts.peak <= counts.heldByModel + counts.heldBySession + 4096)
    #expect(counts.firstRun == 0)
    #expect(counts.laterRuns == 0)
    #expect(abs(counts.growth) < 1024)
  }

  /// A follower takes one block when it is created, and nothing for any picture.
  @Test func followingTakesItsMemoryAtCreation() throws {
    let run = try CommandRun.fovea(["following"], product: "AllocationProbe")
    let words = run.output.split(whereSeparator: \.isWhitespace)
    guard words.first != "uncounted" else { return }
    #expect(words == ["allocations", "1", "0"], "\(run.output)\(run.errors)")
  }

  @Test(
    .enabled(if: BuildConfiguration.isSwiftOptimized, "unoptimized Swift allocates"),
    arguments: ["postprocessing", "tracking"])
  func workOfEveryFrameKeepsItsMemory(_ work: String) throws {
    let run = try CommandRun.fovea([work], product: "AllocationProbe")
    try #require(run.status == 0, "\(run.errors)")
    guard !run.output.hasPrefix("uncounted") else { return }
    let counts = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(counts.count == 2, "\(run.output)")
    #expect(counts[0] > 0)
    #expect(counts[1] == 0)
  }

  @Test func theCoreRunsWithoutSwift() throws {
    let run = try CommandRun.fovea([], product: "TwoLayerGraph")
    #expect(run.status == 0)
    #expect(run.output == "45 54 81 90 \n")
  }
}
