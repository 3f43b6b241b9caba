// Fovea - what a command of fovea-bench found, and where it goes.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc

/// What a command found: a heading, tables, and a plot where it compares.
struct BenchReport {
  /// What was measured and how, in one line.
  var heading: String
  var tables: [ResultTable]
  var notes: [String] = []
  /// The plot; without a subtitle, the machine becomes its subtitle.
  var chart: BarGrid?

  /// The options of every command that makes a report.
  static let options: [CommandDescription.Option] = [
    .init(name: "--json", value: "FILE", help: "also write the figures as JSON"),
    .init(name: "--csv", value: "FILE", help: "also write the figures as CSV"),
  ]
  /// The option of commands that draw bars.
  static let svg = CommandDescription.Option(
    name: "--svg", value: "FILE", help: "also draw the figures as bars")

  /// Prints the report and writes the files that the arguments name.
  func publish(_ arguments: ArgumentList) throws(CommandFailure) {
    let machine = MachineFacts()
    SystemInterface.writeOutput("\(heading)\n\(machine.line)\n")
    for table in tables { SystemInterface.writeOutput("\n" + table.text) }
    for note in notes { SystemInterface.writeOutput("\n\(note)\n") }
    if let path = arguments.value("--json") {
      let document = Document(
        what: heading, machine: machine,
        tables: Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }))
      try OutputFile.write(try JSONOutput.text(document), to: path)
    }
    if let path = arguments.value("--csv") {
      try OutputFile.write(tables.map(\.csv).joined(separator: "\r\n"), to: path)
    }
    if let path = arguments.value("--svg"), var chart {
      if chart.subtitle.isEmpty { chart.subtitle = machine.line }
      try OutputFile.write(chart.svg, to: path)
    }
  }

  private struct Document: Encodable {
    var what: String
    var machine: MachineFacts
    var tables: [String: ResultTable]
  }
}

/// Files that a command writes.
enum OutputFile {
  /// Writes a text file, in place of what was there.
  static func write(_ text: String, to path: String) throws(CommandFailure) {
    guard let file = fopen(path, "w") else {
      throw CommandFailure("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
    let bytes = Array(text.utf8)
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else {
      throw CommandFailure("\(path): cannot be written to its end; free some room")
    }
  }
}
