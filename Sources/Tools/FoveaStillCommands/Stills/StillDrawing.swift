// Fovea - how findings on still pictures are drawn, in the colors of Apple's sample.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaStills

extension CommandDescription.Option {
  /// The drawing of what a command on still pictures has found.
  static let draw = Self(
    name: "--draw", value: "FILE",
    help: "draw what was found on the image; {} in the name stands for the image's")
}

extension LabeledBox {
  /// A rectangle: blue.
  static func drawn(_ rectangle: RectangleObservation) -> LabeledBox {
    quadrilateral("", rectangle, 0x0A84FF)
  }

  /// A line of text: red, around its letters.
  static func drawn(_ line: RecognizedTextObservation) -> LabeledBox {
    var box = quadrilateral("", line, 0xFF453A)
    box.liesAround = true
    return box
  }

  /// A code: orange, with what it says.
  static func drawn(_ code: BarcodeObservation) -> LabeledBox {
    quadrilateral(code.payloadString ?? code.symbology.description, code, 0xFF9F0A)
  }

  /// A face: yellow.
  static func drawn(_ face: FaceObservation) -> LabeledBox {
    var box = LabeledBox(label: "", boundingBox: face.boundingBox)
    box.givenColor = DrawingColor(hexadecimal: 0xFFD60A)
    return box
  }

  private static func quadrilateral(
    _ label: String, _ thing: some QuadrilateralProviding, _ color: UInt32
  ) -> LabeledBox {
    var box = LabeledBox(label: label, corners: thing.corners)
    box.givenColor = DrawingColor(hexadecimal: color)
    return box
  }
}
