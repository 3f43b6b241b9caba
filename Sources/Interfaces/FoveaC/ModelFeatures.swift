// Fovea - the inputs and outputs of a model, as its file declares them and as they are run.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaLowering
internal import FoveaModelValues
internal import FoveaRuntime
internal import FoveaVision

/// The inputs and outputs of a model, as its file declares them and as they are run.
struct ModelFeatures {
  /// An input or output.
  struct Feature {
    var declared: FeatureDescription
    /// What a run takes or gives; `nil` where that is nothing.
    var type: fovea_type?
    /// -1 for a size that is known after a run.
    var shape: [Int]
  }

  var inputs: [Feature] = []
  var outputs: [Feature] = []

  init(_ model: Model, isCut: Bool) {
    let file = model.specification
    inputs = file.inputs.map { Self.input($0, of: model) }
    inputs += Self.undeclared(model.inputs, file.inputs)
    if let stage = model.suppression {
      outputs = file.outputs.map { Self.output($0, of: model, stage) }
    } else {
      outputs = file.outputs.map { Self.feature($0, model.outputs) }
      if isCut { outputs.removeAll { $0.type == nil } }
      // What pictures are decoded to is no output of a run on arrays.
      if model.picture == nil { outputs += Self.undeclared(model.outputs, file.outputs) }
    }
  }

  private static func input(_ declared: FeatureDescription, of model: Model) -> Feature {
    if let picture = model.picture, picture.input == declared.name,
      let port = model.inputs.first(where: { $0.name == declared.name })
    {
      var declared = declared
      declared.type = .multiArray(picture.array)
      return Feature(
        declared: declared, type: fovea_type_float32,
        shape: picture.shape(rows: port.shape[0], columns: port.shape[1]))
    }
    if model.numberInputs.contains(declared.name) {
      var declared = declared
      declared.isOptional = true
      return Feature(declared: declared, type: fovea_type_float64, shape: [])
    }
    return feature(declared, model.inputs)
  }

  /// An output of a model with suppression, which replaces scores and boxes by fewer rows.
  private static func output(
    _ declared: FeatureDescription, of model: Model, _ stage: NonMaximumSuppression
  ) -> Feature {
    switch declared.name {
    case stage.confidenceOutputName:
      let scores = model.outputs.first { $0.name == stage.confidenceInputName }
      return Feature(
        declared: declared, type: fovea_type_float32, shape: [-1, scores?.shape.last ?? -1])
    case stage.coordinatesOutputName:
      return Feature(declared: declared, type: fovea_type_float32, shape: [-1, 4])
    default: return feature(declared, model.outputs)
    }
  }

  private static func feature(_ declared: FeatureDescription, _ ports: [Model.Port]) -> Feature {
    guard let port = ports.first(where: { $0.name == declared.name }) else {
      return Feature(declared: declared, type: nil, shape: [])
    }
    return Feature(declared: declared, type: port.elementType, shape: port.shape)
  }

  private static func undeclared(
    _ ports: [Model.Port], _ declared: [FeatureDescription]
  ) -> [Feature] {
    ports.filter { port in !declared.contains { $0.name == port.name } }.map { port in
      let array = MultiArrayFeature(shape: port.shape, dataType: .float32)
      let type = port.image.map { FeatureType.image($0) } ?? .multiArray(array)
      return Feature(
        declared: FeatureDescription(name: port.name, type: type), type: port.elementType,
        shape: port.shape)
    }
  }
}

extension Model.Port {
  fileprivate var elementType: fovea_type {
    type == .uint8 ? fovea_type_uint8 : fovea_type_float32
  }
}

/// Writes features into memory that C programs look into.
struct LentFeatures {
  let memory: LentMemory

  func feature(_ feature: ModelFeatures.Feature) -> UnsafePointer<fovea_feature> {
    var result = fovea_feature()
    result.size = MemoryLayout<fovea_feature>.size
    result.name = memory.text(feature.declared.name)
    result.short_description = memory.text(feature.declared.shortDescription)
    result.is_optional = feature.declared.isOptional ? 1 : 0
    result.run_type = number(feature.type ?? fovea_type_none)
    result.rank = Int32(clamping: feature.shape.count)
    result.shape = numbers(feature.shape)
    let (kind, type, color) = Self.kind(feature.declared.type)
    result.kind = Int32(bitPattern: kind.rawValue)
    result.type = number(type)
    result.color = Int32(bitPattern: color.rawValue)
    let allowed = AllowedShapes(feature.declared.type)
    result.shapes = Int32(bitPattern: allowed.form.rawValue)
    result.allowed_count = allowed.rows.count
    result.allowed = numbers(allowed.rows.flatMap { $0 })
    return UnsafePointer(memory.array([result]))
  }

  private func number(_ type: fovea_type) -> Int32 { Int32(bitPattern: type.rawValue) }

  private func numbers(_ values: [Int]) -> UnsafePointer<Int64> {
    UnsafePointer(memory.array(values.map { Int64($0) }))
  }

  private static func kind(_ type: FeatureType) -> (fovea_kind, fovea_type, fovea_color) {
    switch type {
    case .image(let image): (fovea_kind_image, fovea_type_none, color(image.colorSpace))
    case .multiArray(let array):
      (fovea_kind_array, elementType(array.dataType), fovea_color_none)
    case .double: (fovea_kind_double, fovea_type_float64, fovea_color_none)
    case .int64: (fovea_kind_int64, fovea_type_int64, fovea_color_none)
    case .string: (fovea_kind_string, fovea_type_none, fovea_color_none)
    case .dictionary: (fovea_kind_dictionary, fovea_type_float64, fovea_color_none)
    case .sequence: (fovea_kind_sequence, fovea_type_none, fovea_color_none)
    case .state: (fovea_kind_state, fovea_type_none, fovea_color_none)
    case .unspecified: (fovea_kind_none, fovea_type_none, fovea_color_none)
    }
  }

  private static func color(_ space: ImageFeature.ColorSpace) -> fovea_color {
    switch space {
    case .rgb: fovea_color_rgb
    case .bgr: fovea_color_bgr
    case .grayscale: fovea_color_gray
    case .grayscaleFloat16: fovea_color_gray_float16
    }
  }

  private static func elementType(_ type: MultiArrayFeature.DataType) -> fovea_type {
    switch type {
    case .float32: fovea_type_float32
    case .double: fovea_type_float64
    case .float16: fovea_type_float16
    case .int32: fovea_type_int32
    case .int8: fovea_type_int8
    case .unspecified: fovea_type_none
    }
  }
}

/// The sizes and shapes that a feature allows.
private struct AllowedShapes {
  var form = fovea_shapes_fixed
  var rows: [[Int]] = []

  init(_ type: FeatureType) {
    switch type {
    case .image(let image): self.init(image)
    case .multiArray(let array): self.init(array)
    default: self.init()
    }
  }

  private init() {}

  private init(_ image: ImageFeature) {
    switch image.allowedSizes {
    case .fixed: break
    case .enumerated(let sizes):
      (form, rows) = (fovea_shapes_enumerated, sizes.map { [$0.height, $0.width] })
    case .range(let widths, let heights):
      form = fovea_shapes_ranges
      rows = [[heights.lower, widths.lower], [heights.upper ?? -1, widths.upper ?? -1]]
    }
  }

  private init(_ array: MultiArrayFeature) {
    switch array.allowedShapes {
    case .fixed: break
    case .enumerated(let shapes):
      // Rows have one length; a file with shapes of several ranks has no use for them.
      let rank = array.shape.isEmpty ? shapes.first?.count : array.shape.count
      (form, rows) = (fovea_shapes_enumerated, shapes.filter { $0.count == rank })
    case .ranges(let ranges):
      form = fovea_shapes_ranges
      rows = [ranges.map(\.lower), ranges.map { $0.upper ?? -1 }]
    }
  }
}
