// Fovea - the plan of an arena as an image.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc

/// Draws a plan: layers from left to right, memory upwards, a rectangle for every result.
struct PlanDrawing {
  private let plan: PlanReport
  private let width = 1000.0
  private let height = 520.0
  private let margin = 60.0

  init(_ plan: PlanReport) { self.plan = plan }

  /// The image, an SVG document.
  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width + 2 * margin)) \
    \(number(height + 2 * margin))" font-family="sans-serif" font-size="11">
    <rect width="100%" height="100%" fill="white"/>
    \(plan.blocks.map(rectangle).joined(separator: "\n"))
    \(axes)
    </svg>

    """
  }

  private var columns: Double { Double(max(1, plan.layerCount)) }
  private var bytes: Double { Double(max(1, plan.arenaBytes)) }

  private func rectangle(_ block: PlanReport.Block) -> String {
    let last = min(block.last, plan.layerCount - 1)
    let x = margin + Double(block.first) / columns * width
    let w = Double(last - block.first + 1) / columns * width
    let h = Double(block.bytes) / bytes * height
    let y = margin + height - (Double(block.offset) / bytes * height + h)
    // Neighbors get hues far apart: multiples of the golden angle.
    let hue = (block.layer * 137) % 360
    let fill =
      block.kind == "workspace"
      ? "hsl(0,0%,75%)" : "hsl(\(hue),60%,\(block.kind.hasPrefix("u") ? 60 : 75)%)"
    let name = "\(block.label): \(block.kind), \(block.bytes) bytes at \(block.offset)"
    let label =
      h >= 14 && w >= 40
      ? "<text x=\"\(number(x + 3))\" y=\"\(number(y + h / 2 + 4))\">\(MarkupText.escaped(block.label.printable))</text>"
      : ""
    return
      "<g><title>\(MarkupText.escaped(name.printable))</title><rect x=\"\(number(x))\" y=\"\(number(y))\" "
      + "width=\"\(number(w))\" height=\"\(number(h))\" fill=\"\(fill)\" stroke=\"#444\" "
      + "stroke-width=\"0.5\"/>\(label)</g>"
  }

  private var axes: String {
    let right = margin + width, bottom = margin + height
    return "<path d=\"M\(number(margin)) \(number(margin)) V\(number(bottom)) H\(number(right))\" "
      + "fill=\"none\" stroke=\"black\"/>"
      + "<text x=\"\(number(margin))\" y=\"\(number(bottom + 20))\">layer 0</text>"
      + "<text x=\"\(number(right))\" y=\"\(number(bottom + 20))\" text-anchor=\"end\">"
      + "layer \(max(0, plan.layerCount - 1))</text>"
      + "<text x=\"\(number(margin))\" y=\"\(number(margin - 10))\">\(plan.arenaBytes) bytes</text>"
  }

  /// Two decimal places are enough for an image.
  private func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let rest = hundredths % 100
    return rest == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
