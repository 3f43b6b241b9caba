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
    let run = try CommandRun.fovea(
      [model, backend, "\(threads)"], product: "AllocationProbe")
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

  @Test func postprocessingKeepsItsMemory() throws {
    let run = try CommandRun.fovea(["postprocessing"], product: "AllocationProbe")
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
