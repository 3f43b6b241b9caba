// Fovea - tests of maps as files.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaMaps
import Testing

/// Maps are files that other programs read.
@Suite struct MapFileTests {
  private let map = ClassMap(
    width: 3, height: 2, classes: [0, 1, 2, 255, 1, 0], labels: ["sky", "road", "car"],
    colors: [
      DrawingColor(red: 1, green: 2, blue: 3), DrawingColor(red: 40, green: 50, blue: 60),
      DrawingColor(red: 200, green: 210, blue: 220),
    ])

  @Test func classesAreColorsOfAPalette() throws {
    let bytes = try map.pngBytes()
    // Bit depth and color type of the header: 8 bits, a palette.
    #expect(bytes[24] == 8 && bytes[25] == 3)
    #expect(
      try Image(bytes: bytes).rgb
        == [1, 2, 3, 40, 50, 60, 200, 210, 220, 224, 224, 192, 40, 50, 60, 1, 2, 3])
    #expect(map.areas == [2, 2, 1] && map.share(of: 2) == 0.2)
    #expect(try map.tensor().uint8s() == [0, 1, 2, 255, 1, 0])
  }

  @Test func colorsLieOverThePicture() throws {
    let picture = try Image(width: 3, height: 2, rgb: [UInt8](repeating: 100, count: 18))
    let half = try map.overlay(on: picture)
    #expect(half.rgb[6..<9] == [150, 155, 160] && half.rgb[9..<12] == [100, 100, 100])
    #expect(try map.overlay(on: picture, opacity: 0).rgb == picture.rgb)
    #expect(throws: ImageError.self) {
      try map.overlay(on: Image(width: 1, height: 1, rgb: [0, 0, 0]))
    }
  }

  /// The samples of a file of 16 bits, read back through another network's input would be 8: the header
  /// and the levels are compared instead.
  @Test func depthsAreSamplesOfSixteenBits() throws {
    let meters = DepthMap(width: 2, height: 1, values: [1.5, .nan], unit: .meters)
    let bytes = try meters.pngBytes()
    #expect(bytes[24] == 16 && bytes[25] == 0)
    #expect(meters.levels.step == 0.001 && meters.levels.least == 0)
    let relative = DepthMap(width: 3, height: 1, values: [-2, 4, .nan], unit: .relative)
    #expect(relative.range == -2...4)
    #expect(abs(relative.levels.least + relative.levels.step * 1 + 2) < 1e-5)
    #expect(try relative.tensor().floats().prefix(2) == [-2, 4])
    let colors = try relative.colored().rgb
    #expect(colors[6..<9] == [0, 0, 0])
    #expect(colors[0..<3].reduce(0) { $0 + Int($1) } < colors[3..<6].reduce(0) { $0 + Int($1) })
  }

  /// Networks that divide by a small number may write infinities.
  @Test func infiniteDepthsAreTheGreatest() throws {
    for unit in DepthMap.Unit.allCases {
      let map = DepthMap(width: 3, height: 1, values: [1, .infinity, -.infinity], unit: unit)
      #expect(map.range == 1...1)
      #expect(try map.pngBytes()[24] == 16)
      #expect(try map.colored().rgb.count == 9)
      let all = DepthMap(width: 1, height: 1, values: [.infinity], unit: unit)
      #expect(all.range == nil)
      #expect(try all.pngBytes()[24] == 16)
    }
    let wide = DepthMap(
      width: 2, height: 1,
      values: [-.greatestFiniteMagnitude, .greatestFiniteMagnitude], unit: .relative)
    #expect(try wide.pngBytes()[24] == 16)
    #expect(try wide.colored().rgb.count == 6)
  }

  @Test func manyClassesNeedWiderNumbers() throws {
    let wide = ClassMap(
      width: 2, height: 1, classes: [300, .max], labels: (0..<301).map { "\($0)" },
      colors: Array(repeating: .black, count: 301))
    #expect(wide.unassigned == .max && wide[x: 0, y: 0] == 300 && wide[x: 1, y: 0] == nil)
    #expect(try wide.tensor().shape == [1, 2])
  }
}
