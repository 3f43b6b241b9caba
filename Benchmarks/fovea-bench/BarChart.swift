// Fovea - times as bars, drawn as SVG.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Times as horizontal bars: the minimum as the bar, the median as a tick.
struct BarChart {
  /// One bar.
  struct Bar {
    var label: String
    var minimum: Double
    var median: Double
  }

  var title: String
  var bars: [Bar]

  private static let (width, labelWidth, rightMargin, rowHeight, top) = (
    760.0, 220.0, 130.0, 24.0, 60.0
  )

  /// The chart; times are milliseconds.
  func svg(subtitle: String) -> String {
    let height = Self.top + Double(bars.count) * Self.rowHeight + 16
    let largest = bars.map { max($0.minimum, $0.median) }.max() ?? 1
    let scale =
      (Self.width - Self.labelWidth - Self.rightMargin) / max(largest, .leastNonzeroMagnitude)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.plain(Self.width))" \
      height="\(Self.plain(height))" font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      <text x="12" y="22" font-size="14">\(Self.escaped(title)): minimum (median), ms</text>
      <text x="12" y="40" fill="#475569">\(Self.escaped(subtitle))</text>

      """
    for (index, bar) in bars.enumerated() {
      let y = Self.top + Double(index) * Self.rowHeight
      let tick = Self.labelWidth + bar.median * scale
      let figures =
        "\(NumberText.fixed(bar.minimum, digits: 2)) (\(NumberText.fixed(bar.median, digits: 2)))"
      text += """
        <text x="\(Self.plain(Self.labelWidth - 8))" y="\(Self.plain(y + 14))" \
        text-anchor="end">\(Self.escaped(bar.label))</text>
        <rect x="\(Self.plain(Self.labelWidth))" y="\(Self.plain(y + 3))" \
        width="\(Self.plain(bar.minimum * scale))" height="15" fill="#c2410c"/>
        <path d="M\(Self.plain(tick)) \(Self.plain(y + 1))v19" stroke="#111827" stroke-width="2"/>
        <text x="\(Self.plain(tick + 6))" y="\(Self.plain(y + 14))">\(figures)</text>

        """
    }
    return text + "</svg>\n"
  }

  private static func plain(_ value: Double) -> String { NumberText.fixed(value, digits: 1) }

  private static func escaped(_ text: String) -> String {
    text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
  }
}
