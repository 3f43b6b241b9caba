// Fovea - fovea-bench plot: recorded figures as a plot and a table.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Draws recorded figures and prints them as a Markdown table. Measures nothing.
enum PlotCommand: Subcommand {
  /// Kinds of figures.
  enum Kind: String, CaseIterable {
    case peers, variants, zoo
  }

  static let description = CommandDescription(
    name: "plot", synopsis: "KIND FILE.csv... -o FILE.svg",
    summary: "Draws recorded figures as SVG and prints them as a Markdown table.",
    options: [.init(name: "-o", value: "FILE.svg", help: "the plot")],
    operandCount: 2...Int.max,
    notes: """
      KIND is peers, for what Peers/compare --csv wrote; variants, for what fovea-bench
      variants --csv wrote; or zoo, for what Peers/zoo --csv wrote. Files appear in the order of
      the arguments.
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let output = try arguments.required("-o", "name the file of the plot")
    guard let kind = Kind(rawValue: arguments.operands[0]) else {
      throw UsageError(
        "'\(arguments.operands[0])' is no kind of figures; they are "
          + Kind.allCases.map(\.rawValue).joined(separator: ", "))
    }
    var rows: [FigureTable.Row] = []
    for path in arguments.operands.dropFirst() { rows += try FigureTable.rows(ofFile: path) }
    let report: any FigureReport
    do throws(FigureTable.Malformed) {
      switch kind {
      case .peers: report = try PeerFigures(rows)
      case .variants: report = try VariantFigures(rows)
      case .zoo: report = try ZooFigures(rows)
      }
    } catch {
      throw CommandFailure("\(arguments.operands[1]): \(error)")
    }
    try OutputFile.write(report.svg, to: output)
    SystemInterface.writeOutput(report.markdown)
    return 0
  }
}
