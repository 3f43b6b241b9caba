// Fovea - tests of colors: contrast, and one for each label.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaDrawing
import Testing

@Suite struct LabelColorTests {
  @Test func contrastOfKnownColors() {
    #expect(DrawingColor.black.contrastRatio(with: .white) == 21)
    #expect(DrawingColor.white.contrastRatio(with: .black) == 21)
    #expect(DrawingColor.white.contrastRatio(with: .white) == 1)
    // Pure red has the luminance 0.2126, so 1.05 / 0.2626 and 0.2626 / 0.05.
    let red = DrawingColor(red: 255, green: 0, blue: 0)
    #expect(abs(red.contrastRatio(with: .white) - 3.998477) < 1e-6)
    #expect(abs(red.contrastRatio(with: .black) - 5.252) < 1e-9)
    // The lightest gray that WCAG lets stand on white, and the first that it does not.
    let passing = DrawingColor(red: 0x76, green: 0x76, blue: 0x76)
    let failing = DrawingColor(red: 0x77, green: 0x77, blue: 0x77)
    #expect(passing.contrastRatio(with: .white) >= 4.5)
    #expect(failing.contrastRatio(with: .white) < 4.5)
    // The linear part of the curve: 10 / 255 / 12.92.
    let dark = DrawingColor(red: 10, green: 10, blue: 10)
    #expect(abs(dark.relativeLuminance - 10 / 255 / 12.92) < 1e-12)
  }

  @Test func textIsReadOnEveryColor() {
    for red in stride(from: UInt8(0), through: 255, by: 15) {
      for green in stride(from: UInt8(0), through: 255, by: 15) {
        for blue in stride(from: UInt8(0), through: 255, by: 15) {
          let color = DrawingColor(red: red, green: green, blue: blue)
          #expect(color.contrastRatio(with: color.readableTextColor) > 4.5, "\(color)")
        }
      }
    }
    for color in DrawingColor.labelPalette {
      #expect(color.contrastRatio(with: color.readableTextColor) > 4.5)
    }
  }

  /// The hash's published vectors are 85944171F73967E8 for "foobar" and CBF29CE484222325 for no
  /// byte; remainders of these and of more words were computed with unbounded integers.
  @Test(arguments: [
    ("", 17), ("a", 16), ("foobar", 8), ("dog", 13), ("person", 4), ("größe", 2), ("車", 6),
  ])
  func labelsWithoutIndexAreHashed(label: String, entry: Int) {
    #expect(DrawingColor(label: label) == DrawingColor.labelPalette[entry])
    #expect(DrawingColor(label: label, classIndex: -1) == DrawingColor.labelPalette[entry])
  }

  @Test func indicesTakeTheirTurn() {
    #expect(DrawingColor.labelPalette.count == 20)
    #expect(Set(DrawingColor.labelPalette).count == 20)
    for index in 0..<100 {
      let color = DrawingColor(label: "label \(index)", classIndex: index)
      #expect(color == DrawingColor.labelPalette[index % 20])
    }
    #expect(DrawingColor(label: "dog", classIndex: .max).opacity == 1)
    #expect(DrawingColor.labelPalette[0].hexadecimal == "#FF5A2D")
    #expect(DrawingColor(red: 1, green: 0, blue: 10).hexadecimal == "#01000A")
  }

  @Test func colorsAreFarApart() {
    let places = DrawingColor.labelPalette.map(perceptual)
    for first in places.indices {
      for second in places.indices where second > first {
        let distance = zip(places[first], places[second]).map { ($0 - $1) * ($0 - $1) }
          .reduce(0, +).squareRoot()
        // The first eight serve nearly every image. A step that is just seen is about 0.02.
        #expect(distance > (second < 8 ? 0.14 : 0.09), "\(first) and \(second)")
      }
    }
  }
}

/// OKLab with lightness counted at 0.6, after Ottosson's definition.
private func perceptual(_ color: DrawingColor) -> [Double] {
  let light = [color.red, color.green, color.blue].map { part -> Double in
    let value = Double(part) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
  func combined(_ rows: [[Double]], _ values: [Double]) -> [Double] {
    rows.map { zip($0, values).map(*).reduce(0, +) }
  }
  let cones = combined(
    [
      [0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ], light
  ).map(cbrt)
  let lab = combined(
    [
      [0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.8086757660],
    ], cones)
  return [0.6 * lab[0], lab[1], lab[2]]
}
