// Fovea - the text of fovea inspect.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaLibc

extension InspectionReport {
  /// The report for people.
  var text: String {
    [
      "\(model)  \(fileBytes) bytes, \(format), backend \(backend)\n",
      section("stages", stageTable),
      functions.map { section("functions", FunctionReport.table($0)) } ?? "",
      section("inputs", Self.table(inputs)) + (picture?.text ?? ""),
      section("outputs", Self.table(outputs)) + (task?.text ?? "") + (head?.text ?? ""),
      detectorText, metadataText,
      programs?.map(\.text).joined(separator: "\n") ?? "",
      section("layers", layerTable), memoryText,
      plan?.text ?? "", profile?.text ?? "",
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func section(_ title: String, _ table: TextTable) -> String {
    table.rows.isEmpty ? "\(title): none\n" : "\(title):\n" + table.text(indentation: 2)
  }

  private var stageTable: TextTable {
    var table = TextTable([
      .right("index"), .left("name"), .left("type"), .right("specification"), .right("layers"),
    ])
    for (index, stage) in stages.enumerated() {
      table.rows.append([
        "\(index)", stage.name, stage.type, "\(stage.specificationVersion)",
        stage.layerCount.map { "\($0)" } ?? "compiled",
      ])
    }
    return table
  }

  private static func table(_ features: [Feature]) -> TextTable {
    var table = TextTable([.left("name"), .left("type"), .left("shape"), .left("")])
    for feature in features {
      let shape = feature.shape.isEmpty ? "" : NumberText.shape(feature.shape)
      let notes = [
        feature.isOptional ? "optional" : nil, feature.allowed.map { "allowed: \($0)" },
      ].compactMap { $0 }
      table.rows.append([feature.name, feature.type, shape, notes.joined(separator: ", ")])
    }
    return table
  }

  private var detectorText: String {
    var text = ""
    if let labels {
      text += "labels (\(labels.count)): \(labels.joined(separator: ", ").printable)\n"
    }
    if let own = thresholds?.own {
      text += "thresholds: confidence \(own.confidence), IoU \(own.intersectionOverUnion), "
      text += DetectionNumbers.text { $0.own(own) }
      text += own.isClassAgnostic ? "across classes\n" : "within each class\n"
    }
    return text
  }

  private var metadataText: String {
    guard !metadata.isEmpty else { return "" }
    return metadata.sorted { $0.key < $1.key }.reduce("metadata:\n") { text, entry in
      let value = entry.value.split(whereSeparator: \.isNewline).joined(separator: " ")
      let short = value.count > 160 ? value.prefix(157) + "..." : value[...]
      return text + "  " + "\(entry.key): \(short)".printable + "\n"
    }
  }

  private var layerTable: TextTable {
    var table = TextTable([
      .right("index"), .left("operation"), .left("label"), .left("activation"),
      .left("output shape"), .left("weights"), .right("MMAC"), .right("weight bytes"),
    ])
    for layer in layers {
      table.rows.append([
        "\(layer.index)", layer.operation, layer.label, layer.activation,
        NumberText.shape(layer.outputShape), layer.weightEncoding,
        NumberText.millions(layer.multiplyAccumulates), "\(layer.weightBytes)",
      ])
    }
    return table
  }

  private var memoryText: String {
    var table = TextTable([.left("planned memory"), .right("MiB"), .right("bytes")])
    for (name, bytes) in [
      ("weights", memory.weightBytes), ("arena", memory.arenaBytes),
      ("  of it workspace", memory.workspaceBytes), ("weights and session", memory.totalBytes),
    ] {
      table.rows.append([name, NumberText.mebibytes(bytes), "\(bytes)"])
    }
    return "total: \(layers.count) layers, \(NumberText.millions(multiplyAccumulates)) MMAC\n"
      + table.text()
  }
}
