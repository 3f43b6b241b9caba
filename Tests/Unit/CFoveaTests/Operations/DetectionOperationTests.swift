// Fovea - decoding one head, planar and channels-last, against the formulas.
// SPDX-License-Identifier: Apache-2.0
import CDetectionProbe
import FoveaTestSupport
import Foundation
import Testing

@Suite struct DetectionOperationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var anchors: Int
    var classes: Int
    var rows: Int
    var columns: Int
    var pixelsOutermost = false
    var squaredSizes = false
    var testDescription: String {
      "\(anchors) anchors, \(classes) classes, \(rows)x\(columns)"
        + (pixelsOutermost ? ", pixels outermost" : "") + (squaredSizes ? ", squared sizes" : "")
    }
    var pixels: Int { rows * columns }
    var count: Int { anchors * pixels }
    var channels: Int { anchors * (5 + classes) }
  }

  static let cases = [
    Case(anchors: 1, classes: 1, rows: 1, columns: 1),
    Case(anchors: 1, classes: 1, rows: 9, columns: 7),
    Case(anchors: 3, classes: 2, rows: 4, columns: 4, squaredSizes: true),
    Case(anchors: 3, classes: 80, rows: 5, columns: 13),
    Case(anchors: 2, classes: 129, rows: 8, columns: 8, pixelsOutermost: true),
    Case(anchors: 5, classes: 20, rows: 1, columns: 67, pixelsOutermost: true, squaredSizes: true),
    // Enough for several threads.
    Case(anchors: 3, classes: 91, rows: 12, columns: 17),
  ]

  private struct Result {
    var confidence: [Float]
    var coordinates: [Float]
  }

  private let scales: (Float, Float) = (0.125, 0.0625)

  private func run(
    _ test: Case, _ head: [Float], _ terms: [Float], channelsLast: Bool, floor: Float = 0,
    threads: Int = 1
  ) -> Result {
    var result = Result(
      confidence: Array(repeating: .nan, count: test.count * test.classes),
      coordinates: Array(repeating: .nan, count: test.count * 4))
    var probe = detection_probe(
      anchors: test.anchors, classes: test.classes, rows: test.rows, columns: test.columns,
      channels_last: channelsLast, pixels_outermost: test.pixelsOutermost,
      squared_sizes: test.squaredSizes, center_scales: scales, floor: floor, threads: threads)
    #expect(detection_probe_run(&probe, head, terms, &result.confidence, &result.coordinates))
    return result
  }

  private func sigmoid(_ x: Float) -> Double { 1 / (1 + exp(-Double(x))) }

  /// The formulas, in double precision.
  private func oracle(_ test: Case, _ head: [Float], _ terms: [Float]) -> Result {
    var result = Result(confidence: [], coordinates: [])
    for row in 0..<test.count {
      let anchor = test.pixelsOutermost ? row % test.anchors : row / test.pixels
      let pixel = test.pixelsOutermost ? row / test.anchors : row % test.pixels
      func logit(_ channel: Int) -> Float {
        head[(anchor * (5 + test.classes) + channel) * test.pixels + pixel]
      }
      func size(_ x: Float) -> Double {
        test.squaredSizes ? sigmoid(x) * sigmoid(x) : exp(Double(x))
      }
      let own = terms[4 * row..<4 * row + 4].map(Double.init)
      result.coordinates += [
        Float(sigmoid(logit(0)) * Double(scales.0) + own[0]),
        Float(sigmoid(logit(1)) * Double(scales.1) + own[1]),
        Float(size(logit(2)) * own[2]), Float(size(logit(3)) * own[3]),
      ]
      for c in 0..<test.classes {
        result.confidence.append(Float(sigmoid(logit(4)) * sigmoid(logit(5 + c))))
      }
    }
    return result
  }

  private func problem(_ test: Case) -> (head: [Float], terms: [Float]) {
    var random = SplitMix(seed: UInt64(test.channels * 31 + test.pixels))
    return (
      random.array([test.channels * test.pixels], in: -6...6).values,
      random.array([test.count * 4], in: 0.1...1).values
    )
  }

  @Test(arguments: cases, [false, true])
  func equalsTheFormulas(_ test: Case, channelsLast: Bool) {
    let (head, terms) = problem(test)
    let expected = oracle(test, head, terms)
    for threads in [1, 2] {
      let found = run(test, head, terms, channelsLast: channelsLast, threads: threads)
      expectClose(
        DenseArray([found.confidence.count], found.confidence),
        DenseArray([expected.confidence.count], expected.confidence), relative: 1e-6)
      expectClose(
        DenseArray([found.coordinates.count], found.coordinates),
        DenseArray([expected.coordinates.count], expected.coordinates), relative: 1e-6)
    }
  }

  /// A row below the floor is zeros, every other one is the same to the bit.
  @Test(arguments: cases, [Float(1e-4), 0.25, 0.5, 0.999, 1, 2])
  func floorLeavesWhatReachesIt(_ test: Case, floor: Float) {
    let (head, terms) = problem(test)
    let full = run(test, head, terms, channelsLast: false)
    #expect(full.confidence == run(test, head, terms, channelsLast: true).confidence)
    #expect(full.coordinates == run(test, head, terms, channelsLast: true).coordinates)
    for channelsLast in [false, true] {
      let found = run(test, head, terms, channelsLast: channelsLast, floor: floor, threads: 2)
      var zeroRows = 0
      for row in 0..<test.count {
        let scores = row * test.classes..<(row + 1) * test.classes
        let box = row * 4..<row * 4 + 4
        if found.confidence[scores].allSatisfy({ $0 == 0 }) {
          zeroRows += 1
          #expect(full.confidence[scores].allSatisfy { $0 < floor })
          #expect(found.coordinates[box].allSatisfy { $0 == 0 })
        } else {
          #expect(found.confidence[scores] == full.confidence[scores])
          #expect(found.coordinates[box] == full.coordinates[box])
        }
      }
      if floor > 1 { #expect(zeroRows == test.count) }
      if floor == 0.5 && test.count > 20 { #expect((1..<test.count).contains(zeroRows)) }
    }
  }

  @Test(arguments: [Float(0), -1, .nan])
  func noFloorComputesAllRows(_ floor: Float) {
    let test = Case(anchors: 3, classes: 4, rows: 6, columns: 5)
    let (head, terms) = problem(test)
    let full = run(test, head, terms, channelsLast: true)
    let found = run(test, head, terms, channelsLast: true, floor: floor)
    #expect(found.confidence == full.confidence)
    #expect(found.coordinates == full.coordinates)
  }

  @Test func extremeLogits() {
    let test = Case(anchors: 1, classes: 6, rows: 1, columns: 1)
    let head: [Float] = [
      0, .infinity, -.infinity, 90, 1000, .infinity, -.infinity, .nan, 1000, -1000, 0,
    ]
    let found = run(test, head, [0, 0, 1, 1], channelsLast: false)
    #expect(found.coordinates[0] == scales.0 / 2)
    #expect(found.coordinates[1] == scales.1)
    #expect(found.coordinates[2] == 0)
    #expect(found.coordinates[3] == .infinity)
    #expect(found.confidence[0] == 1)
    #expect(found.confidence[1] < 1e-38)
    #expect(found.confidence[2].isNaN)
    #expect(found.confidence[3] == 1)
    #expect(found.confidence[4] < 1e-38)
    #expect(found.confidence[5] == 0.5)
  }
}
