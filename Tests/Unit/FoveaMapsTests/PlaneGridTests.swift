// Fovea - tests of planes sampled at the pixels of a picture.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaMaps
import FoveaNetworkTasks
import Testing

/// What is sampled from planes follows from formulas.
@Suite struct PlaneGridTests {
  private func rows(
    _ grid: PlaneGrid, _ values: [Float], channels: Int = 1
  ) -> [[Float]] {
    var rows: [[Float]] = []
    grid.eachRow(of: values.span, channels: channels) { _, mixed in rows.append(copy mixed) }
    return rows
  }

  /// A linear function stays one between the outermost centers, whatever the scales.
  @Test func linearFunctionsStayLinear() throws {
    let planes = PlaneLayout(width: 8, height: 5, channels: 1, isChannelsLast: false)
    let values = (0..<40).map { index -> Float in
      let (column, line) = (Float(index % 8), Float(index / 8))
      return column * 3 - line * 2 + 7
    }
    let geometry = try ImageGeometry(
      storedSize: ImageSize(width: 24, height: 35), modelSize: ImageSize(width: 32, height: 20))
    let found = rows(PlaneGrid(geometry, planes), values)
    #expect(found.count == 35 && found[0].count == 24)
    for (y, row) in found.enumerated() {
      for (x, value) in row.enumerated() {
        let column: Double = min(max((Double(x) + 0.5) / 3 - 0.5, 0), 7)
        let line: Double = min(max((Double(y) + 0.5) / 7 - 0.5, 0), 4)
        let expected: Double = column * 3 - line * 2 + 7
        #expect(abs(Double(value) - expected) < 1e-5)
      }
    }
  }

  @Test func channelsThatLieTogetherAreTheSame() throws {
    let geometry = try ImageGeometry(
      storedSize: ImageSize(width: 13, height: 9), cropAndScaleAction: .scaleToFit,
      modelSize: ImageSize(width: 16, height: 16))
    let first = (0..<48).map { Float($0 * 37 % 23) }
    let last = (0..<48).map { index in first[index % 3 * 16 + index / 3] }
    let layout = { PlaneLayout(width: 4, height: 4, channels: 3, isChannelsLast: $0) }
    #expect(
      rows(PlaneGrid(geometry, layout(false)), first, channels: 3)
        == rows(PlaneGrid(geometry, layout(true)), last, channels: 3))
  }

  @Test func nearestCellsAreRepeated() throws {
    let planes = PlaneLayout(width: 3, height: 2, channels: 1, isChannelsLast: false)
    let geometry = try ImageGeometry(
      storedSize: ImageSize(width: 6, height: 4), modelSize: ImageSize(width: 12, height: 8))
    var found = [Float](repeating: -1, count: 24)
    PlaneGrid(geometry, planes).eachNearest(of: [0, 1, 2, 3, 4, 5].span) { found[$0] = $1 }
    let line: [Float] = [0, 0, 1, 1, 2, 2]
    let next = line.map { $0 + 3 }
    #expect(found == [line, line, next, next].flatMap { $0 })
  }

  /// Pixels whose centers lie in the crop are seen, and no others.
  @Test func whatIsCutOffIsNotSeen() throws {
    let planes = PlaneLayout(width: 4, height: 4, channels: 1, isChannelsLast: false)
    let center = try ImageGeometry(
      storedSize: ImageSize(width: 20, height: 10), cropAndScaleAction: .centerCrop,
      modelSize: ImageSize(width: 8, height: 8))
    let grid = PlaneGrid(center, planes)
    #expect(grid.seenColumns == 5..<15 && grid.seenRows == 0..<10)
    let region = try ImageGeometry(
      storedSize: ImageSize(width: 20, height: 10),
      regionOfInterest: NormalizedRect(x: 0.26, y: 0, width: 0.5, height: 0.5),
      modelSize: ImageSize(width: 8, height: 8))
    // x from 5.2 to 15.2, the lower half.
    #expect(PlaneGrid(region, planes).seenColumns == 5..<15)
    #expect(PlaneGrid(region, planes).seenRows == 5..<10)
  }

  @Test func theFirstOfEqualNumbersCounts() {
    var greatest = GreatestChannel()
    greatest.find(in: [1, 5, -3, 1, 4, -2, 0, 5, -2], channels: 3, width: 3)
    #expect(greatest.classes == [0, 0, 1])
  }
}
