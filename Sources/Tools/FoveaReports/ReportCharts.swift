// Fovea - charts of a report.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaDrawing
internal import FoveaEvaluation

enum ReportCharts {
  /// A plot's file without the line that only files of their own begin with.
  static func element(_ plot: [UInt8]) -> String {
    let start = plot.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return String(decoding: plot[start...], as: UTF8.self)
  }

  /// Right and wrong detections by their scores, as bars above each other.
  static func histogram(_ bars: (right: [Int], wrong: [Int]), confidence: Double?) -> String {
    let (width, height, base) = (560.0, 300.0, 260.0)
    let most = max(1, zip(bars.right, bars.wrong).map { $0 + $1 }.max() ?? 1)
    let step = (width - 60) / Double(bars.right.count)
    func bar(_ place: Int, from: Int, count: Int, _ meaning: String) -> String {
      let unit = (base - 20) / Double(most)
      let top = base - Double(from + count) * unit
      return "<rect x=\"\(decimal(50 + Double(place) * step))\" y=\"\(decimal(top))\" "
        + "width=\"\(decimal(step - 2))\" height=\"\(decimal(Double(count) * unit))\" "
        + "fill=\"var(--\(meaning))\"/>"
    }
    func label(_ text: String, x: Double, y: Double, _ anchor: String = "middle") -> String {
      "<text x=\"\(decimal(x))\" y=\"\(decimal(y))\" text-anchor=\"\(anchor)\" font-size=\"12\" "
        + "fill=\"var(--muted)\">\(text)</text>"
    }
    var text =
      "<svg viewBox=\"0 0 \(decimal(width)) \(decimal(height))\" width=\"\(decimal(width))\""
    text += " role=\"img\" aria-label=\"scores\">"
    for place in bars.right.indices {
      text += bar(place, from: 0, count: bars.right[place], "right")
      text += bar(place, from: bars.right[place], count: bars.wrong[place], "wrong")
    }
    for tenth in stride(from: 0, through: 10, by: 2) {
      let x = 50 + Double(tenth) / 10 * (width - 60)
      text += label(NumberText.fixed(Double(tenth) / 10, digits: 1), x: x, y: base + 18)
    }
    text += label("\(most)", x: 44, y: 26, "end") + label("0", x: 44, y: base, "end")
    text += label("confidence", x: width / 2, y: height - 4)
    if let confidence {
      let x = decimal(50 + confidence * (width - 60))
      text +=
        "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"10\" y2=\"\(decimal(base))\" "
        + "stroke=\"var(--ink)\" stroke-dasharray=\"4 4\"/>"
    }
    return text + "</svg>"
  }

  /// Which category was taken for which: rows are there, columns were found.
  ///
  /// - Parameter names: Of the categories to show.
  static func matrix(_ counts: ConfusionCounts, _ names: [(id: Int, name: String)]) -> String {
    let ids = names.map { Optional($0.id) } + [nil]
    let titles = names.map(\.name) + ["background"]
    var text = "<div class=\"wide\"><table class=\"matrix\"><thead><tr><th>there, found as</th>"
    text += titles.map { "<th class=\"number\">\(HTMLPage.text($0))</th>" }.joined()
    text += "</tr></thead><tbody>"
    for (there, title) in zip(ids, titles) {
      text += "<tr><th>\(HTMLPage.text(title))</th>"
      let all = max(1, counts.total(there: there))
      for found in ids {
        let count = counts.count(there: there, found: found)
        let share = NumberText.fixed(0.75 * Double(count) / Double(all), digits: 2)
        text +=
          count == 0
          ? "<td></td>"
          : "<td style=\"background:rgba(var(--heat),\(share))\">\(count)</td>"
      }
      text += "</tr>"
    }
    return text + "</tbody></table></div>"
  }
}
