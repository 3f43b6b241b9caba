// Fovea - tests of recorded figures, of their plots and of their tables.
// SPDX-License-Identifier: Apache-2.0
import FoveaBench
import FoveaTestSupport
import Foundation
import Testing

@Suite struct FigureTableTests {
  @Test func cellsAreReachedByTheirNames() throws {
    let rows = try FigureTable(csv: "name,ms\r\n\"a, \"\"b\"\"\",1.5\r\nc,2\n").rows
    #expect(rows.count == 2)
    #expect(try rows[0].text("name") == "a, \"b\"" && rows[0].number("ms") == 1.5)
    #expect(try rows[1].text("name") == "c" && rows[1].number("ms") == 2)
  }

  @Test func whatIsMissingOrNoNumberIsAnError() throws {
    let row = try FigureTable(csv: "name,ms,x\na,-1,\n").rows[0]
    #expect(throws: FigureTable.Malformed.self) { try row.number("ms") }
    #expect(throws: FigureTable.Malformed.self) { try row.number("name") }
    #expect(throws: FigureTable.Malformed.self) { try row.text("x") }
    #expect(throws: FigureTable.Malformed.self) { try row.text("y") }
    #expect(throws: FigureTable.Malformed.self) { try FigureTable(csv: "") }
    #expect(throws: FigureTable.Malformed.self) { try FigureTable(csv: "a,b\n1\n") }
  }

  /// The table of a command, written and read again.
  @Test func tablesOfCommandsCanBeRead() throws {
    var table = ResultTable("t", [.init("a"), .init("b", isInText: false)])
    table.rows = [[.text("x, \"y\""), .number(0.25, digits: 1)]]
    let row = try FigureTable(csv: table.csv).rows[0]
    #expect(try row.text("a") == "x, \"y\"" && row.number("b") == 0.25)
    #expect(table.text == "a\nx, \"y\"\n")
  }
}

@Suite struct BarGridTests {
  @Test func barsAreProportionalWithinAPanelAndTextsEscaped() {
    let panels = [
      BarGrid.Panel("a < b", [.init("x & y", 1, text: "one"), .init("z", 2, text: "two")]),
      BarGrid.Panel("other", [.init("z", 50, text: "50", tick: 100)], showsLabels: false),
    ]
    var grid = BarGrid(title: "t", subtitle: "s", rows: [(heading: "h", panels: panels)])
    grid.barLength = 100
    let svg = grid.svg
    #expect(svg.contains("a &lt; b") && svg.contains("x &amp; y") && !svg.contains("x & y"))
    #expect(svg.components(separatedBy: "width=\"50.0\"").count == 3)
    #expect(svg.components(separatedBy: "width=\"100.0\"").count == 2)
    #expect(svg.components(separatedBy: "class=\"tick\"").count == 2)
    #expect(svg.components(separatedBy: ">z</text>").count == 2)
  }
}

/// What is committed under Benchmarks: figures, plots, and the tables of Results.md.
@Suite struct RecordedFigureTests {
  private static let folder = SharedData.packageRoot.appendingPathComponent("Benchmarks")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  private static func rows(_ names: [String]) throws -> [FigureTable.Row] {
    try names.flatMap { try FigureTable(csv: text("Data/\($0).csv")).rows }
  }

  private static func peers() throws -> PeerFigures {
    try PeerFigures(
      rows([
        "peers-zen3-yolov3-tiny", "peers-zen5-yolov3-tiny", "peers-zen3-yolo-fastest-1.1-xl",
        "peers-zen5-yolo-fastest-1.1-xl",
      ]))
  }

  private static func variants() throws -> VariantFigures {
    try VariantFigures(
      rows(["variants-yolo-fastest-1.1-xl", "variants-yolo-fastest-1.1-raw"]))
  }

  private static func zoo() throws -> ZooFigures { try ZooFigures(rows(["zoo-zen5"])) }

  @Test func plotsShowTheFigures() throws {
    #expect(try Self.zoo().plot.svg == Self.text("Plots/zoo.svg"))
    #expect(try Self.peers().chart.svg == Self.text("Plots/peers.svg"))
    #expect(try Self.variants().chart.svg == Self.text("Plots/variants.svg"))
  }

  @Test func tablesOfResultsShowTheFigures() throws {
    let results = try Self.text("Results.md")
    let zoo = try Self.zoo().markdown.components(separatedBy: "\n\n")
    #expect(results.contains(zoo[0]))
    for table in try Self.peers().markdown.components(separatedBy: "\n\n") {
      #expect(try Self.text("History/peers.md").contains(table))
    }
    for table in zoo.dropFirst() {
      #expect(
        try Self.text("History/networks-of-today.md").contains(
          table.trimmingCharacters(in: .newlines)))
    }
    #expect(try results.contains(Self.variants().markdown))
  }
}

@Suite struct FigureReportTests {
  private static let peers = """
    network,machine,date,runtime,threads,minimum_ms,to_openvino
    n,m,2026-01-02,yardstick sgemm,1,9,
    n,m,2026-01-02,slow,1,3,2.004
    n,m,2026-01-02,fovea int8,1,1.5,0.996
    n,m,2026-01-02,fovea int8,2,1,
    """

  @Test func peersAreSortedByTimeWithoutTheYardstick() throws {
    let figures = try PeerFigures(FigureTable(csv: Self.peers).rows)
    #expect(
      figures.markdown == """
        | n, ms | m | x OpenVINO |
        |---|---|---|
        | fovea int8 | 1.50 / 1.00 | 1.00 / - |
        | slow | 3.00 / - | 2.00 / - |

        """)
    let panel = figures.chart.rows[0].panels[0]
    #expect(panel.title == "m, 2026-01-02" && panel.bars.map(\.label) == ["fovea int8", "slow"])
    #expect(panel.bars.map(\.paint) == [.own, .plain] && panel.bars[0].text == "1.50 ms")
  }

  private static let variants = """
    model,machine,date,weights,backend,ap,ap50,minimum_ms,file_bytes
    net-a,m,2026-01-02,float32,blas,0.5,0.75,4,2097152
    net-a,m,2026-01-02,float32,float,0.5,0.75,2,2097152
    net-a,m,2026-01-02,table-8,float,,,2,1048576
    net-a,m,2026-01-02,table-8,blas,,,2,1048576
    net-b,m,2026-01-02,float32,float,0.25,0.5,1,1048576
    """

  @Test func formsAppearWithFloatAndBackendsWithTheFirstForm() throws {
    let figures = try VariantFigures(FigureTable(csv: Self.variants).rows)
    #expect(
      figures.markdown == """
        | weights | backend | a: AP / AP50 | ms | MiB | b: AP / AP50 | ms | MiB |
        |---|---|---|---|---|---|---|---|
        | float32 | float | 0.5000 / 0.7500 | 2.00 | 2.00 | 0.2500 / 0.5000 | 1.00 | 1.00 |
        | table-8 | float | - / - | 2.00 | 1.00 | - | - | - |
        | float32 | blas | 0.5000 / 0.7500 | 4.00 | 2.00 | - | - | - |

        """)
    let panels = figures.chart.rows[0].panels
    #expect(panels.map(\.showsLabels) == [true, false, false])
    #expect(panels[0].bars.map(\.label) == ["float32, float", "table-8, float", "float32, blas"])
    #expect(panels[2].bars.map(\.value) == [0.5, 0, 0.5])
  }
}
