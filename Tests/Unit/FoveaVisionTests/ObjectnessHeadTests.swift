// Fovea - boxes of YOLOX and YOLOv6, which write the same columns: closed forms.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaLowering
import FoveaTestSupport
import Testing

@Suite struct ObjectnessHeadTests {
  /// Three grids of 64 x 96 pixels, with an object in the 20th of the 96 cells of 8 pixels: row 2,
  /// column 4.
  private static let rows: [[Float]] = (0..<96 + 24 + 6).map {
    $0 == 20 ? [3, 5, 2, 1, 1, 0.25, 0.75] : [0, 0, 0, 0, 0, 0, 0]
  }

  private static func expect(
    _ network: ONNXWriter, _ head: DetectorHead, _ color: PictureInput.ColorOrder, scale: Float,
    box: [Double]
  ) throws {
    let model = try FixedRowsNetwork.open(network)
    #expect(model.picture?.color == color && model.picture?.scale == [scale, scale, scale])
    try FixedRowsNetwork.expectOne(
      model, head, label: "class 1", confidence: 0.75, box: box)
  }

  /// Without an exponential, YOLOX has left its boxes in units of cells.
  @Test func boxesOfYOLOXAreInCells() throws {
    let (width, height) = (8 * 7.38905609893065, 8 * 2.718281828459045)
    try Self.expect(
      FixedRowsNetwork.make([("output", Self.rows)]), .yolox, .bgr, scale: 1,
      box: [(4 + 3) * 8 / 64.0, (2 + 5) * 8 / 96.0, width / 64, height / 96])
  }

  /// YOLOv6 subtracts distances from centers, and has the boxes in pixels then.
  @Test func boxesOfYOLOv6AreInPixels() throws {
    try Self.expect(
      FixedRowsNetwork.make([("output", Self.rows)], subtracts: true), .yoloAnchors, .rgb,
      scale: 1 / 255,
      box: [3 / 64.0, 5 / 96.0, 2 / 64.0, 1 / 96.0])
  }
}
