// Fovea - the options that a C program opens a model with.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaGeometry
internal import FoveaRuntime

/// The options that a C program opens a model with.
struct ModelOpening {
  var model: Model.Options
  /// `nil` for all that the process may use.
  var threadCount: Int?
  /// What messages call a model without a file.
  var name = "model"

  /// The defaults, or what the options say.
  init(_ pointer: UnsafePointer<fovea_model_options>?) throws(CallFailure) {
    model = Model.Options()
    model.pictures = PictureInput()
    model.pictures?.needsEvidence = true
    guard let pointer else { return }
    let options = try CallerMemory.structure(pointer, "fovea_model_options")
    let backends: [Backend] = [.auto, .reference, .blas, .float, .int8]
    let backend = try CallerMemory.choice(options.backend, backends, "backend")
    model.backend = try Self.backend(backend, codedWeights: options.coded_weights)
    let outputs = try CallerMemory.choice(options.outputs, [true, false], "outputs")
    model.decodesHead = outputs
    model.pictures = outputs ? try Self.pictures(options) : nil
    guard options.last_stage >= -1 else {
      throw .invalid("last_stage is \(options.last_stage); expected -1 for all stages, or 0 and up")
    }
    if options.last_stage >= 0 { model.lastStage = Int(options.last_stage) }
    if options.threads != 0 {
      let counts = ThreadPool.threadCounts
      guard counts.contains(Int(options.threads)) else {
        throw .invalid(
          "threads is \(options.threads); expected 0 for all that the process may use, or 1 to"
            + " \(counts.upperBound)")
      }
      threadCount = Int(options.threads)
    }
    model.imageSize = try Self.imageSize(options)
    model.function = options.function.map { String(cString: $0) }
    model.head = try Self.choice(options.head, "head")
    model.boxes = try Self.choice(options.boxes, "boxes")
    model.scores = try Self.choice(options.scores, "scores")
    model.task = try Self.choice(options.task, "task")
    if let name = options.name { self.name = String(cString: name) }
    if options.maximum_session_bytes > 0 {
      model.maximumSessionBytes = Int(clamping: options.maximum_session_bytes)
    }
  }

  /// One of the names of a type's values.
  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ text: UnsafePointer<CChar>?, _ option: String
  ) throws(CallFailure) -> Value? {
    guard let text else { return nil }
    let name = String(cString: text)
    guard let value = Value(rawValue: name) else {
      let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid("\(option) is '\(name)'; expected one of \(all)")
    }
    return value
  }

  private static func backend(
    _ backend: Backend, codedWeights: Int32
  ) throws(CallFailure) -> BackendOptions {
    guard try CallerMemory.choice(codedWeights, [false, true], "coded_weights") else {
      return BackendOptions(backend)
    }
    guard backend == .auto || backend == .float else {
      throw .invalid("coded_weights is for the backend float")
    }
    return .float(weights: .coded)
  }

  /// What becomes of the array of a detector or classifier.
  private static func pictures(
    _ options: fovea_model_options
  ) throws(CallFailure) -> PictureInput {
    let colors: [PictureInput.ColorOrder?] = [nil, .rgb, .bgr, .gray]
    let color = try CallerMemory.choice(options.color, colors, "color")
    var wish = PictureInput(color: color)
    let (scale, bias) = (options.scale, options.bias)
    if scale.0 != 0 {
      let count = color == .gray ? 1 : 3
      wish.scale = [scale.0, scale.1, scale.2].prefix(count).map { Float($0) }
      wish.bias = [bias.0, bias.1, bias.2].prefix(count).map { Float($0) }
      guard (wish.scale ?? []).allSatisfy({ $0 != 0 && $0.isFinite }),
        (wish.bias ?? []).allSatisfy(\.isFinite)
      else {
        throw .invalid("scale and bias have to be finite, and no scale 0")
      }
    }
    wish.needsEvidence = !wish.isSpecific
    return wish
  }

  private static func imageSize(
    _ options: fovea_model_options
  ) throws(CallFailure) -> ImageSize? {
    let (width, height) = (Int(clamping: options.width), Int(clamping: options.height))
    if width == 0, height == 0 { return nil }
    guard width > 0, height > 0 else {
      throw .invalid(
        "the size is \(width)x\(height); expected both sides above 0, or both 0 for the file's own")
    }
    return ImageSize(width: width, height: height)
  }
}
