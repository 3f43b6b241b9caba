// Fovea - what an open model says about itself, as C programs read it.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaGeometry
internal import FoveaLowering
internal import FoveaModelValues
internal import FoveaRuntime
internal import FoveaVision

/// What an open model says about itself, in memory that C programs look into.
final class LentModelInfo: @unchecked Sendable {  // because nothing changes after creation
  let info: UnsafeMutablePointer<fovea_model_info>
  let inputs: [UnsafePointer<fovea_feature>]
  let outputs: [UnsafePointer<fovea_feature>]
  /// The outputs that a run gives, by name.
  let computedOutputs: [String]
  /// The names of the classes, in the order of the scores.
  let labels: [UnsafePointer<CChar>]
  let functions: [UnsafePointer<CChar>]
  let metadata: [(key: UnsafePointer<CChar>, value: UnsafePointer<CChar>)]
  private let memory = LentMemory()

  /// - Parameter isCut: Whether the options stop before the last stage.
  init(_ model: Model, isCut: Bool, threadCount: Int) {
    let memory = memory
    let features = ModelFeatures(model, isCut: isCut)
    let lent = LentFeatures(memory: memory)
    inputs = features.inputs.map { lent.feature($0) }
    outputs = features.outputs.map { lent.feature($0) }
    computedOutputs = features.outputs.filter { $0.type != nil }.map(\.declared.name)
    let detector = try? DetectorLayout(model: model)
    let classifier = try? ClassifierLayout(model: model)
    labels = (detector?.classLabels ?? model.classLabels ?? []).map { memory.text($0) }
    let file = model.specification
    functions = file.isProgram ? Self.functionNames(file).map { memory.text($0) } : []
    metadata = file.metadata.userDefined.sorted { $0.key < $1.key }
      .map { (memory.text($0.key), memory.text($0.value)) }
    info = memory.array([fovea_model_info()])
    fillTexts(model)
    fillNumbers(model, inputSize: detector?.inputSize ?? classifier?.inputSize)
    fill(model.picture)
    info.pointee.head = memory.text(model.head?.head.rawValue)
    info.pointee.head_reason = optional(model.head?.reason ?? "")
    info.pointee.left_out = optional(model.head?.leftOut ?? "")
    info.pointee.detects = detector == nil ? 0 : 1
    info.pointee.classifies = classifier == nil ? 0 : 1
    info.pointee.threads = Int32(clamping: threadCount)
  }

  private static func functionNames(_ file: ModelDescription) -> [String] {
    file.functions.isEmpty ? [file.functionName] : file.functions.map(\.name)
  }

  private func fillTexts(_ model: Model) {
    let file = model.specification
    info.pointee.name = memory.text(model.name)
    info.pointee.backend = memory.text(model.backend.rawValue)
    info.pointee.function = memory.text(file.isProgram ? file.functionName : nil)
    info.pointee.short_description = memory.text(file.metadata.shortDescription)
    info.pointee.author = memory.text(file.metadata.author)
    info.pointee.license = memory.text(file.metadata.license)
    info.pointee.version = memory.text(file.metadata.version)
    info.pointee.predicted_label = optional(file.predictedFeatureName)
    info.pointee.predicted_probabilities = optional(file.predictedProbabilitiesName)
  }

  private func fill(_ picture: PictureForm?) {
    guard let picture else { return }
    func three(_ numbers: [Float]) -> (Double, Double, Double) {
      (Double(numbers[0]), Double(numbers[numbers.count / 2]), Double(numbers[numbers.count - 1]))
    }
    let colors: [PictureInput.ColorOrder: fovea_color] = [
      .rgb: fovea_color_rgb, .bgr: fovea_color_bgr, .gray: fovea_color_gray,
    ]
    info.pointee.picture_input = memory.text(picture.input)
    info.pointee.picture_reason = memory.text(picture.reason)
    info.pointee.scale = three(picture.scale)
    info.pointee.bias = three(picture.bias)
    info.pointee.color = Int32(bitPattern: (colors[picture.color] ?? fovea_color_none).rawValue)
  }

  private func optional(_ text: String) -> UnsafePointer<CChar>? {
    memory.text(text.isEmpty ? nil : text)
  }

  private func fillNumbers(_ model: Model, inputSize: ImageSize?) {
    let thresholds = ModelThresholds(suppression: model.suppression, metadata: model.metadata)
    info.pointee.size = MemoryLayout<fovea_model_info>.size
    info.pointee.specification_version = Int32(clamping: model.specification.specificationVersion)
    info.pointee.is_compiled = model.isCompiled ? 1 : 0
    info.pointee.input_count = inputs.count
    info.pointee.output_count = outputs.count
    info.pointee.label_count = labels.count
    info.pointee.function_count = functions.count
    info.pointee.metadata_count = metadata.count
    info.pointee.width = Int64(inputSize?.width ?? 0)
    info.pointee.height = Int64(inputSize?.height ?? 0)
    info.pointee.confidence = thresholds.confidence
    info.pointee.iou = thresholds.intersectionOverUnion
    info.pointee.box_voting = thresholds.boxVoting
    info.pointee.soft_suppression = thresholds.softSuppression
    info.pointee.file_bytes = UInt64(model.fileByteCount)
    info.pointee.session_bytes = UInt64(model.sessionByteCount)
  }
}
