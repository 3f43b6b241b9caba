// Fovea - the sheet that plots of recorded figures are drawn on, as SVG.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// The sheet of a plot: its colors and its texts.
enum PlotSheet {
  static let fontSize = 12.0

  /// The beginning of the file, in dark colors where the viewer prefers them.
  ///
  /// - Parameter rules: More rules of style, for light paper and for dark.
  static func head(
    width: Double, height: Double, rules: (light: String, dark: String) = ("", "")
  ) -> String {
    let size = #"width="\#(decimal(width))" height="\#(decimal(height))""#
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \
      viewBox="0 0 \(decimal(width)) \(decimal(height))" \
      font-family="'DejaVu Sans', Verdana, Geneva, sans-serif">
      <style>
      .ground{fill:#fff} .ink{fill:#16191f} .muted{fill:#59616e}
      .own{fill:#c2410c} .other{fill:#2563a8} .plain{fill:#9aa3b0}
      .base{stroke:#59616e} .tick{stroke:#16191f;stroke-width:2}\(rules.light)
      @media (prefers-color-scheme: dark) {
      .ground{fill:#16191f} .ink{fill:#f0f2f5} .muted{fill:#a3abb8}
      .own{fill:#f07a3c} .other{fill:#6aa5e0} .plain{fill:#5d6673}
      .base{stroke:#a3abb8} .tick{stroke:#f0f2f5}\(rules.dark)
      }
      </style>
      <rect class="ground" width="100%" height="100%"/>

      """
  }

  /// A line of text; `anchor` says which end of it lies at `x`.
  static func text(
    _ text: String, _ x: Double, _ y: Double, _ paint: String, size: Double = fontSize,
    weight: String? = nil, anchor: String? = nil
  ) -> String {
    #"<text class="\#(paint)" x="\#(decimal(x))" y="\#(decimal(y))" font-size="\#(decimal(size))""#
      + (weight.map { #" font-weight="\#($0)""# } ?? "")
      + (anchor.map { #" text-anchor="\#($0)""# } ?? "") + ">" + escaped(text) + "</text>"
  }

  static func decimal(_ value: Double) -> String { NumberText.fixed(value, digits: 1) }

  private static func escaped(_ text: String) -> String {
    text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
  }
}
