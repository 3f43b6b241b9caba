// Fovea - the options that a C program looks at a picture with.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea.Detect
internal import FoveaGeometry
internal import FoveaMaps
internal import FoveaRuntime
internal import FoveaVision

/// The options that a C program looks at a picture with.
struct LookingOptions {
  /// `nil` for that of the file or the stream.
  private(set) var orientation: ImageOrientation?
  /// `nil` for what is usual for the request.
  private var action: ImageCropAndScaleAction?
  private var padding = PaddingAnchor.centered
  private var filter = ResamplingFilter.bilinear
  private var region = NormalizedRect.fullImage
  private var decodesFull = false
  private var matchesAspect = false
  /// What is wanted of the numbers, in the order of their table.
  private var numbers = [Double?](repeating: nil, count: DetectionNumber.all.count)
  private var isClassAgnostic: Bool?
  private var rule = CandidateRule.bestClass
  private var maximumCount: Int?
  private var labels: Set<String>?

  /// What the structure's own function fills in.
  static var defaults: fovea_detect_options {
    var options = fovea_detect_options()
    (options.region_width, options.region_height) = (1, 1)
    (options.confidence, options.iou) = (.nan, .nan)
    (options.box_voting, options.soft_suppression) = (.nan, .nan)
    options.class_agnostic = -1
    options.crop_and_scale = fovea_crop_and_scale_usual.rawValue
    return options
  }

  /// The defaults, or what the options say.
  init(_ pointer: UnsafePointer<fovea_detect_options>?) throws(CallFailure) {
    guard let pointer else { return }
    let options = try CallerMemory.structure(pointer, "fovea_detect_options")
    orientation = try CallerPixels.orientation(options.orientation)
    if options.crop_and_scale != fovea_crop_and_scale_usual.rawValue {
      action = try CallerMemory.choice(
        options.crop_and_scale,
        [
          .scaleToFill, .scaleToFit, .centerCrop, .scaleToFitPlus90CCWRotation,
          .scaleToFillPlus90CCWRotation,
        ], "crop_and_scale")
    }
    padding = try CallerMemory.choice(options.padding, [.centered, .upperLeft], "padding")
    filter = try CallerMemory.choice(options.filter, [.bilinear, .area], "filter")
    decodesFull = try CallerMemory.choice(options.decode_full, [false, true], "decode_full")
    matchesAspect = try CallerMemory.choice(options.match_aspect, [false, true], "match_aspect")
    region = NormalizedRect(
      x: options.region_x, y: options.region_y, width: options.region_width,
      height: options.region_height
    ).verticallyFlipped()
    let members = [
      ("confidence", options.confidence), ("iou", options.iou),
      ("box_voting", options.box_voting), ("soft_suppression", options.soft_suppression),
    ]
    for (name, value) in members { try set(name, value) }
    try set(options.settings, count: options.setting_count)
    guard (-1...1).contains(options.class_agnostic) else {
      throw .invalid(
        "class_agnostic is \(options.class_agnostic); expected 0, 1, or -1 for the model's own")
    }
    if options.class_agnostic >= 0 { isClassAgnostic = options.class_agnostic == 1 }
    rule = try CallerMemory.choice(options.multi_label, [.bestClass, .multiLabel], "multi_label")
    // A count beyond what memory can hold is negative here, and allows all objects as 0 does.
    if options.maximum_count > 0 { maximumCount = options.maximum_count }
    labels = try Self.labels(options)
  }

  private mutating func set(
    _ settings: UnsafePointer<fovea_setting>?, count: Int
  ) throws(CallFailure) {
    guard let settings else { return }
    guard (0...1 << 10).contains(count) else {
      throw .invalid("setting_count is \(count); expected the number of settings")
    }
    for index in 0..<count {
      try set(CallerMemory.text(settings[index].name, "name of a setting"), settings[index].value)
    }
  }

  /// Sets a number; NaN stands for the model's own.
  private mutating func set(_ name: String, _ value: Double) throws(CallFailure) {
    guard let index = DetectionNumber.all.firstIndex(where: { $0.name == name }) else {
      let names = DetectionNumber.all.map(\.name).joined(separator: ", ")
      throw .invalid("there is no setting '\(name)'; expected one of \(names)")
    }
    numbers[index] = value.isNaN ? nil : value
  }

  private static func labels(
    _ options: fovea_detect_options
  ) throws(CallFailure) -> Set<String>? {
    guard let pointer = options.labels else { return nil }
    guard (1...1 << 20).contains(options.label_count) else {
      throw .invalid(
        "label_count is \(options.label_count); name at least one label, or set labels to NULL")
    }
    var labels: Set<String> = []
    for index in 0..<options.label_count {
      labels.insert(try CallerMemory.text(pointer[index], "label \(index)"))
    }
    return labels
  }

  func apply(to request: inout DetectObjectsRequest) {
    for (number, value) in zip(DetectionNumber.all, numbers) { number.wanted(&request, value) }
    request.isClassAgnostic = isClassAgnostic
    request.candidateRule = rule
    request.maximumObservations = maximumCount
    request.allowedLabels = labels
    if let action { request.cropAndScaleAction = action }
    request.paddingAnchor = padding
    request.regionOfInterest = region
    request.resamplingFilter = filter
    request.matchesAspect = matchesAspect
    request.allowsReducedDecoding = !decodesFull
  }

  /// How pictures are brought to networks for maps.
  var view: InputView {
    var view = InputView()
    if let action { view.cropAndScaleAction = action }
    view.paddingAnchor = padding
    view.regionOfInterest = region
    view.resamplingFilter = filter
    view.allowsReducedDecoding = !decodesFull
    return view
  }

  func apply(to request: inout ClassifyImageRequest) {
    if let action { request.cropAndScaleAction = action }
    request.paddingAnchor = padding
    request.regionOfInterest = region
    request.resamplingFilter = filter
    request.allowsReducedDecoding = !decodesFull
  }
}
