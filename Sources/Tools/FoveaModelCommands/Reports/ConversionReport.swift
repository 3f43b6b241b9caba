// Fovea - what fovea convert says.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaModelValues

/// What `fovea convert` wrote; also its JSON document.
struct ConversionReport: Encodable {
  var file: String
  var byteCount: Int
  var source: String
  /// What the source is, such as "an ONNX file".
  var sourceFormat: String
  var specificationVersion: Int
  /// The set of operations of the program, such as "CoreML6"; absent for networks of layers.
  var operationSet: String?
  /// The oldest system that opens the model, such as "iOS 16 (macOS 13)".
  var system: String
  var inputs: [InspectionReport.Feature]
  var outputs: [InspectionReport.Feature]
  /// The new names of inputs and outputs by the old ones, where they differ.
  var renamed: [String: String]

  init(_ conversion: ModelConversion, file: String, source: String) throws(CommandFailure) {
    let model: ModelDescription
    do throws(ModelFormatError) { model = try conversion.files.read() } catch {
      throw CommandFailure(error, file: file)
    }
    self.file = file
    self.source = source
    byteCount = conversion.byteCount
    sourceFormat = conversion.sourceFormat
    specificationVersion = model.specificationVersion
    operationSet = ProgramReport.all(model).first?.operationSet
    system = Self.system(model.specificationVersion)
    inputs = model.inputs.map { InspectionReport.Feature($0, shape: nil) }
    outputs = model.outputs.map { InspectionReport.Feature($0, shape: nil) }
    renamed = conversion.renamed
  }

  /// The systems by the versions of the specification that came with them.
  private static func system(_ version: Int) -> String {
    let systems = [
      1: "iOS 11 (macOS 10.13)", 2: "iOS 11.2 (macOS 10.13.2)", 3: "iOS 12 (macOS 10.14)",
      4: "iOS 13 (macOS 10.15)", 5: "iOS 14 (macOS 11)", 6: "iOS 15 (macOS 12)",
      7: "iOS 16 (macOS 13)", 8: "iOS 17 (macOS 14)", 9: "iOS 18 (macOS 15)",
    ]
    return systems[version] ?? "iOS 26 (macOS 26)"
  }

  func write(asJSON: Bool) throws {
    if asJSON { return try JSONOutput.write(self) }
    var table = TextTable([.left(""), .left("name"), .left("type"), .left("shape"), .left("")])
    for (title, features) in [("input", inputs), ("output", outputs)] {
      for feature in features {
        let old = renamed.first { $0.value == feature.name }?.key
        table.rows.append([
          title, feature.name, feature.type,
          feature.shape.isEmpty ? "" : NumberText.shape(feature.shape),
          [old.map { "was \($0.printable)" }, feature.allowed.map { "allowed: \($0)" }]
            .compactMap { $0 }.joined(separator: ", "),
        ])
      }
    }
    SystemInterface.writeOutput(table.text())
    let set = operationSet.map { ", \($0)" } ?? ""
    SystemInterface.writeOutput(
      "\(file)  \(byteCount) bytes, for \(system) or later\(set), from \(sourceFormat)\n")
  }
}
