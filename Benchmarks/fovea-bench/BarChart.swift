// Fovea - times as bars.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// Times as horizontal bars: the minimum as the bar, the median as a tick.
package struct BarChart {
  /// One bar.
  package struct Bar {
    package var label: String
    /// Milliseconds.
    package var minimum: Double
    /// Milliseconds.
    package var median: Double

    package init(label: String, minimum: Double, median: Double) {
      (self.label, self.minimum, self.median) = (label, minimum, median)
    }
  }

  package var title: String
  package var bars: [Bar]

  package init(title: String, bars: [Bar]) {
    self.title = title
    self.bars = bars
  }

  /// The bars as the one panel of a drawing, which has no subtitle yet.
  package var grid: BarGrid {
    let bars = bars.map { bar in
      BarGrid.Bar(
        bar.label, bar.minimum,
        text: NumberText.fixed(bar.minimum, digits: 2) + " ("
          + NumberText.fixed(bar.median, digits: 2) + ")",
        tick: bar.median)
    }
    var grid = BarGrid(
      title: title, subtitle: "",
      rows: [(heading: "", panels: [.init("minimum, ms (median)", bars)])])
    grid.barLength = 400
    return grid
  }
}
