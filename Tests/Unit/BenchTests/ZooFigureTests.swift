// Fovea - tests of the figures of many networks, of their plot and of their tables.
// SPDX-License-Identifier: Apache-2.0
import FoveaBench
import Foundation
import Testing

@Suite struct ZooFigureTests {
  private static let header =
    "network,machine,date,mmac,runtime,threads,minimum_ms,fovea_quotient,peak_mib,first_result_ms\n"

  private static let zoo =
    header + """
      large,m,2026-01-02,4000,fovea float,1,8,1,20,30
      large,m,2026-01-02,4000,fovea float,2,4,1,20,30
      large,m,2026-01-02,4000,slow fp32,1,16,0.5,50,60
      large,m,2026-01-02,4000,ort fp32,1,10,0.8,40,70
      large,m,2026-01-02,4000,ort fp32,2,5,0.75,40,70
      large,m,2026-01-02,4000,ort default,1,4,2,40,70
      small,m,2026-01-02,500,fovea float,1,1,1,5,6
      small,m,2026-01-02,500,fovea int8,1,0.5,1,4,
      small,m,2026-01-02,500,ort fp32,1,1,1,9,8
      small,m,2026-01-02,500,ort int8,1,1,0.5,,7
      """

  private static func figures() throws -> ZooFigures {
    try ZooFigures(FigureTable(csv: zoo).rows)
  }

  @Test func theHardestOtherOfEachPrecisionIsNamed() throws {
    let tables = try Self.figures().markdown.components(separatedBy: "\n\n")
    #expect(tables.count == 8)
    #expect(
      tables[0] == """
        | m, ms | MMAC | float | x other | int8 | x other |
        |---|---|---|---|---|---|
        | small | 500 | 1.00 / - | 1.00 / - | 0.50 / - | 0.50 / - |
        | large | 4000 | 8.00 / 4.00 | 0.80 / 0.75 | - / - | - / - |
        | median |  |  | 0.90 / 0.75 |  | 0.50 / - |
        """)
    #expect(
      tables[1] == """
        | m, float, ms | fovea | best other | which | x other |
        |---|---|---|---|---|
        | small | 1.00 / - | 1.00 / - | ort | 1.00 / - |
        | large | 8.00 / 4.00 | 10.00 / 5.00 | ort | 0.80 / 0.75 |
        | median |  |  |  | 0.90 / 0.75 |
        """)
    #expect(tables[3].contains("| large | 8.00 / 4.00 | 4.00 / 5.00 | ort | 2.00 / 0.75 |"))
  }

  @Test func memoryAndStartsHaveAColumnForEachRuntime() throws {
    let tables = try Self.figures().markdown.components(separatedBy: "\n\n")
    #expect(
      tables[4] == """
        | m, float, peak MiB | fovea | ort | slow |
        |---|---|---|---|
        | small | 5.0 | 9.0 | - |
        | large | 20.0 | 40.0 | 50.0 |
        """)
    #expect(tables[7].contains("| small | - | 7.0 |"))
  }

  @Test func thePlotShowsFoveaAndTheBestOthers() throws {
    let plot = try Self.figures().plot
    #expect(plot.columns.map(\.name) == ["small", "large"])
    #expect(plot.series.map(\.name).suffix(2) == ["fovea float", "fovea int8"])
    #expect(plot.series.map { $0.points.map(\.y) } == [[1, 10], [1], [1, 8], [0.5]])
    #expect(plot.series[0].points.map(\.x) == [500, 4000])
    #expect(plot.subtitle == "least time on 1 thread; m, 2026-01-02")
  }

  /// A factor of two is as far everywhere: 680 points for the eight doublings of 2...512.
  @Test func axesAreLogarithmic() {
    let plot = LogarithmicPlot(
      title: "a < b", subtitle: "", axes: (x: "x", y: "y"), columns: [(x: 4, name: "n & m")],
      series: [
        .init(
          name: "s", paint: .own, isFilled: true,
          points: [(x: 2, y: 1), (x: 4, y: 2), (x: 512, y: 4)])
      ])
    let svg = plot.svg
    #expect(svg.contains("a &lt; b") && svg.contains("n &amp; m"))
    for place in ["cx=\"60.0\"", "cx=\"145.0\"", "cx=\"740.0\""] { #expect(svg.contains(place)) }
    #expect(svg.components(separatedBy: "class=\"own\"").count == 5)
    #expect(svg.hasSuffix("</svg>\n"))
  }

  @Test func aMissingColumnIsAnError() {
    #expect(throws: FigureTable.Malformed.self) {
      try ZooFigures(FigureTable(csv: "network,machine\na,b\n").rows)
    }
  }
}
