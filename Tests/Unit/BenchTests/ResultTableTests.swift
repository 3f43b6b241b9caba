// Fovea - tests of tables, bars and rows of operations.
// SPDX-License-Identifier: Apache-2.0
import Fovea
import FoveaCommandLine
import Foundation
import Testing

import FoveaBench

@Suite struct ResultTableTests {
  private var table: ResultTable {
    var table = ResultTable(
      "t", [.init("name"), .init("ms", "min ms"), .init("share"), .init("x")])
    table.rows = [
      [.text("a, \"b\""), .number(1.23456, digits: 2), .share(0.25), .none],
      [.text("c"), .number(.nan, digits: 2), .none, .none],
    ]
    return table
  }

  @Test func textRoundsAndLeavesEmptyColumnsOut() {
    #expect(table.text == "name    min ms   share\na, \"b\"    1.23  25.0 %\nc            -\n")
  }

  @Test func csvKeepsAllDigitsAndQuotes() {
    #expect(table.csv == "name,ms,share,x\r\n\"a, \"\"b\"\"\",1.23456,0.25,\r\nc,,,\r\n")
  }

  @Test func jsonLeavesOutWhatIsNoFigure() throws {
    let rows = try JSONSerialization.jsonObject(with: JSONEncoder().encode(table))
    let list = try #require(rows as? [[String: Any]])
    #expect(list.count == 2)
    #expect(Set(list[0].keys) == ["name", "ms", "share"])
    #expect(Set(list[1].keys) == ["name"])
    #expect(list[0]["ms"] as? Double == 1.23456)
  }

  @Test func barsAreProportionalAndEscaped() {
    let chart = BarChart(
      title: "a < b",
      bars: [
        .init(label: "x & y", minimum: 1, median: 2), .init(label: "z", minimum: 2, median: 4),
      ])
    let svg = chart.grid.svg
    #expect(svg.contains("a &lt; b") && svg.contains("x &amp; y"))
    #expect(svg.contains("width=\"100.0\"") && svg.contains("width=\"200.0\""))
    #expect(svg.contains("2.00 (4.00)"))
  }
}

@Suite struct OperationAlignmentTests {
  private func keys(_ names: String...) -> [OperationAlignment.Key] {
    OperationAlignment.keys(names.map { (operation: "o", label: $0) })
  }

  @Test func theSameNamesAreTheSameRowsInOrder() {
    let rows = OperationAlignment.rows([keys("a", "b", "b"), keys("a", "b", "b")])
    #expect(rows.map(\.indices) == [[0, 0], [1, 1], [2, 2]])
  }

  @Test func whatOnlyOneBackendHasStandsWhereItRuns() {
    let rows = OperationAlignment.rows([keys("a", "pool", "c"), keys("in", "a", "x", "y", "c")])
    #expect(rows.map(\.key.label) == ["in", "a", "x", "y", "pool", "c"])
    #expect(rows.map(\.indices[0]) == [nil, 0, nil, nil, 1, 2])
    #expect(rows.map(\.indices[1]) == [0, 1, 2, 3, nil, 4])
  }
}

@Suite struct BackendNameTests {
  @Test func namesAreTheLibrarys() throws {
    #expect(BackendName.all == Backend.allCases.map(\.rawValue))
    #expect(try BackendName.list("reference,blas,reference") == [.reference, .blas])
    #expect(try BackendName.list(nil) == BackendName.compared)
    #expect(try BackendName.list(nil, of: "absent.fovea") == BackendName.compared)
    #expect(try BackendName.list("int8", of: "absent.fovea") == [.int8])
    #expect(!BackendName.compared.contains(.reference) && !BackendName.compared.contains(.auto))
  }

  @Test(arguments: ["gpu", "", "blas,", "Blas"])
  func unknownNamesAreAnsweredWithTheKnownOnes(_ text: String) throws {
    let error = try #require(throws: UsageError.self) { try BackendName.list(text) }
    #expect(error.message.contains("auto, reference, blas"))
  }
}
