// Fovea - boxes of networks that write corners in pixels beside their scores: closed forms.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaLowering
import FoveaTestSupport
import Testing

@Suite struct CornerHeadTests {
  /// Three grids of 64 x 96 pixels; the object is in row 17.
  private static let count = 96 + 24 + 6
  private static let boxes: [[Float]] = (0..<count).map {
    $0 == 17 ? [8, 24, 40, 72] : [0, 0, 0, 0]
  }
  private static let scores: [[Float]] = (0..<count).map {
    $0 == 17 ? [0.25, 0.5, 0.875] : [0, 0, 0]
  }

  private static func expect(
    _ outputs: [(name: String, rows: [[Float]])], _ head: DetectorHead,
    _ color: PictureInput.ColorOrder
  ) throws {
    let model = try FixedRowsNetwork.open(FixedRowsNetwork.make(outputs))
    #expect(model.picture?.color == color)
    try FixedRowsNetwork.expectOne(
      model, head, label: "class 2", confidence: 0.875, box: [24 / 64.0, 0.5, 0.5, 0.5])
  }

  /// Which of both comes first tells which network it is, and so what it reads.
  @Test func theOrderTellsNetworksApart() throws {
    let (boxes, scores) = (("boxes", Self.boxes), ("scores", Self.scores))
    try Self.expect([boxes, scores], .yoloNAS, .rgb)
    try Self.expect([scores, boxes], .nanodet, .bgr)
  }

  @Test func scoresMayBeTurned() throws {
    let turned = (0..<3).map { column in Self.scores.map { $0[column] } }
    try Self.expect([("boxes", Self.boxes), ("scores", turned)], .yoloNAS, .rgb)
  }
}
