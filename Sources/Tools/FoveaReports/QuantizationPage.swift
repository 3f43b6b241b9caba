// Fovea - the page of a quantization.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine

/// What became of the weights of a model, as a page: sizes, and the layers with most noise.
package struct QuantizationPage {
  /// A layer with weights.
  package struct Layer: Sendable {
    package var name: String
    package var type: String
    package var weightCount: Int
    /// `nil` for weights that are kept.
    package var bits: Int?
    package var byteCount: Int
    /// The noise of the weights as a part of them, 0...1.
    package var noise: Double

    package init(
      name: String, type: String, weightCount: Int, bits: Int?, byteCount: Int, noise: Double
    ) {
      (self.name, self.type, self.weightCount) = (name, type, weightCount)
      (self.bits, self.byteCount, self.noise) = (bits, byteCount, noise)
    }
  }

  package var model: String
  package var layers: [Layer]
  package var byteCounts: (before: Int, after: Int)

  package init(model: String, layers: [Layer], byteCounts: (before: Int, after: Int)) {
    (self.model, self.layers, self.byteCounts) = (model, layers, byteCounts)
  }

  /// Writes the folder.
  ///
  /// - Throws: `FileError`.
  package func write(to path: String) throws {
    var page = HTMLPage(title: "Quantization of \(model)")
    page.add("<h1>\(HTMLPage.text(model))</h1>")
    let share = Double(byteCounts.after) / Double(max(1, byteCounts.before))
    let coded = layers.filter { $0.bits != nil }
    var verdict = "The file has \(byteCounts.after) bytes, \(EvaluationPage.percent(share)) of "
    verdict += "\(byteCounts.before). \(coded.count) of \(layers.count) layers have codes."
    if let worst = coded.max(by: { $0.noise < $1.noise }) {
      verdict += " Most is lost in \(worst.name): its weights have a noise of "
      verdict += NumberText.fixed(100 * worst.noise, digits: 2) + " %."
    }
    page.add("<p class=\"verdict\">\(HTMLPage.text(verdict))</p>")
    page.section(
      "Layers",
      "Those with most noise first: the root mean square of what changed, as a part of the weights.",
      HTMLPage.table(
        [
          .text("layer"), .text("type"), .number("weights"), .number("bits"), .number("bytes"),
          .number("noise"),
        ],
        layers.sorted { $0.noise > $1.noise }.map { layer in
          [
            layer.name, layer.type, "\(layer.weightCount)", layer.bits.map { "\($0)" } ?? "kept",
            "\(layer.byteCount)", NumberText.fixed(100 * layer.noise, digits: 3) + " %",
          ]
        }))
    page.section(
      "What it does to the objects that are found", "",
      "<p>Run <code>fovea compare</code> with both files and <code>--report</code>.</p>")
    try ReportFolder.write(page, ReportPictures(), to: path)
  }
}
