// Fovea - operations of programs that change the size of planes.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension OperationLowering {
  /// Enlargement, resizing, and samples at computed places.
  static let resamplingRules: [String: OperationRule] = [
    "upsample_nearest_neighbor": { op throws(FoveaError) in try op.upsampleNearest() },
    "upsample_bilinear": { op throws(FoveaError) in try op.upsampleBilinear() },
    "resize_nearest_neighbor": { op throws(FoveaError) in
      let (rows, columns) = try op.targetAxes()
      return try op.resized(.nearest, rows: rows.wholeNearest, columns: columns.wholeNearest)
    },
    "resize_bilinear": { op throws(FoveaError) in
      let (rows, columns) = try op.targetAxes()
      let mode = try op.gridMode(default: "DEFAULT")
      return try op.resized(.bilinear, rows: rows.grid(mode), columns: columns.grid(mode))
    },
    "resize": { op throws(FoveaError) in try op.resize() },
    "resample": { op throws(FoveaError) in try op.resample() },
    "crop_resize": { op throws(FoveaError) in try op.cropResize() },
  ]

  // MARK: Enlargement

  private func upsampleNearest() throws(FoveaError) -> [ProgramValue] {
    let (rows, columns) = try factorAxes()
    return try resized(.nearest, rows: rows.wholeNearest, columns: columns.wholeNearest)
  }

  private func upsampleBilinear() throws(FoveaError) -> [ProgramValue] {
    let (rows, columns) = try factorAxes()
    let mode: GridMode =
      try boolean("align_corners", default: true)
      ? .strictAlignCorners
      : boolean("half_pixel_centers", default: true) ? .unalignCorners : .asymmetric
    return try resized(.bilinear, rows: rows.grid(mode), columns: columns.grid(mode))
  }

  /// Axes enlarged by factors; a size is rounded down.
  private func factorAxes() throws(FoveaError) -> (ResizeAxis, ResizeAxis) {
    let (height, width) = try plane()
    var axes: [ResizeAxis] = []
    for (name, size) in [("scale_factor_height", height), ("scale_factor_width", width)] {
      let wanted = (Double(size) * Double(try factor(name))).rounded(.down)
      guard wanted >= 1, wanted <= Self.greatestSide else {
        throw mismatch("\"\(name)\" is \(try factor(name)) for \(size) rows or columns")
      }
      axes.append(ResizeAxis(size: size, output: Int(wanted)))
    }
    return (axes[0], axes[1])
  }

  private func factor(_ name: String) throws(FoveaError) -> Float {
    try float(name, default: 1)
  }

  private static let greatestSide = 1e6

  private func targetAxes() throws(FoveaError) -> (ResizeAxis, ResizeAxis) {
    let (height, width) = try plane()
    let rows = try positive("target_size_height", default: 1)
    let columns = try positive("target_size_width", default: 1)
    return (ResizeAxis(size: height, output: rows), ResizeAxis(size: width, output: columns))
  }

  private func plane() throws(FoveaError) -> (height: Int, width: Int) {
    let shape = try argument("x").shape
    guard shape.count >= 3 else { throw mismatch("its input has shape \(shape)") }
    return (shape[shape.count - 2], shape[shape.count - 1])
  }

  private func resized(
    _ filter: fov_resize_filter, rows: ResizeGrid, columns: ResizeGrid
  ) throws(FoveaError) -> [ProgramValue] {
    result(
      try graph.resize(
        tensor("x"),
        fov_resize(
          filter: filter, output: (rows.output, columns.output),
          step: (rows.step, columns.step), offset: (rows.offset, columns.offset))))
  }

  /// Sizes for the last dimensions; 0 keeps one.
  private func resize() throws(FoveaError) -> [ProgramValue] {
    let (height, width) = try plane()
    let count = try positive("resized_dims", default: 2)
    let sizes = Array(try sizes("shape").suffix(count))
    guard (1...2).contains(count), sizes.count == count else {
      throw unsupported("\(count) dimensions are resized; 1 and 2 can be run")
    }
    let wanted = count == 1 ? [0] + sizes : sizes
    let mode = try gridMode(default: "DEFAULT")
    let axes = zip([height, width], wanted).map { size, wanted in
      ResizeAxis(size: size, output: wanted == 0 ? size : wanted)
    }
    let isLinear = try choice(
      "interpolation_mode", default: "LINEAR", ["LINEAR": true, "NEAREST_NEIGHBOR": false])
    let grids = axes.map { isLinear ? $0.grid(mode) : $0.nearest(mode) }
    return try resized(isLinear ? .bilinear : .nearest, rows: grids[0], columns: grids[1])
  }

  /// The grid of a sampling mode.
  private func gridMode(default word: String) throws(FoveaError) -> GridMode {
    try choice(
      "sampling_mode", default: word,
      [
        "DEFAULT": .spread, "STRICT_ALIGN_CORNERS": .strictAlignCorners,
        "ALIGN_CORNERS": .alignCorners, "OFFSET_CORNERS": .offsetCorners,
        "UNALIGN_CORNERS": .unalignCorners,
      ])
  }

  // MARK: Computed places

  /// Samples at coordinates that are computed, as torch's grid_sample.
  private func resample() throws(FoveaError) -> [ProgramValue] {
    var parameters = fov_resample()
    parameters.filter = try choice(
      "sampling_mode", ["nearest": .nearest, "bilinear": .bilinear])
    parameters.padding = try choice(
      "padding_mode",
      [
        "constant": .constant, "border": .border, "reflection": .reflection,
        "symmetric": .symmetric,
      ])
    parameters.value = try float("padding_value", default: 0)
    parameters.coordinates = try choice(
      "coordinates_mode",
      [
        "unnormalized": .unnormalized,
        "normalized_minus_one_to_one": .normalized_minus_one_to_one,
        "normalized_zero_to_one": .normalized_zero_to_one,
      ])
    parameters.align_corners = try boolean("align_corners")
    return result(try graph.resample(tensor("x"), tensor("coordinates"), parameters))
  }

  /// Boxes cut out and brought to one size. Until iOS 16 boxes are [boxes, 1, 4 or 5, 1, 1], the
  /// fifth number being that of the image; from iOS 17 on they are [boxes, 4] beside the numbers.
  private func cropResize() throws(FoveaError) -> [ProgramValue] {
    let x = try tensor("x")
    let isOld = has("roi")
    var boxes = try tensor(isOld ? "roi" : "boxes")
    let count = boxes.shape.first ?? 0
    let numbers = count > 0 ? boxes.count / count : 0
    guard x.rank == 4, numbers == 4 || (isOld && numbers == 5) else {
      throw mismatch("boxes of shape \(boxes.shape) of an input of shape \(x.shape)")
    }
    boxes = try graph.reshape(boxes, to: [count, numbers])
    var images: GraphValue?
    if numbers == 5 {
      images = try graph.slice(
        boxes, [SliceRange(begin: 0, count: count), SliceRange(begin: 0, count: 1)])
      boxes = try graph.slice(
        boxes, [SliceRange(begin: 0, count: count), SliceRange(begin: 1, count: 4)])
    } else if has("box_indices") {
      images = try tensor("box_indices")
    }
    if isOld, images == nil, x.shape[0] != 1 {
      throw unsupported("boxes without the numbers of their images, of several images")
    }
    let indices: GraphValue
    if let images {
      indices = images
    } else {
      let numbers = (0..<count).map { isOld ? 0 : Float($0) }
      indices = try graph.constant(numbers, shape: [count])
    }
    let crops = try graph.cropResize(
      x, boxes, graph.reshape(indices, to: [count]), cropParameters())
    let shape = crops.shape
    return result(
      isOld ? try graph.reshape(crops, to: [count, 1] + shape.dropFirst()) : crops)
  }

  private func cropParameters() throws(FoveaError) -> fov_crop_resize {
    var parameters = fov_crop_resize()
    parameters.output = (
      try positive("target_height", default: 1), try positive("target_width", default: 1)
    )
    parameters.normalized = try boolean("normalized_coordinates")
    parameters.spatial_scale = try float("spatial_scale", default: 1)
    parameters.pad_value = try float("pad_value", default: 0)
    parameters.box = try choice(
      "box_coordinate_mode", default: "CORNERS_HEIGHT_FIRST",
      [
        "CORNERS_HEIGHT_FIRST": .corners_height_first,
        "CORNERS_WIDTH_FIRST": .corners_width_first,
        "CENTER_SIZE_HEIGHT_FIRST": .center_height_first,
        "CENTER_SIZE_WIDTH_FIRST": .center_width_first,
      ])
    parameters.grid = try choice(
      "sampling_mode", default: "DEFAULT",
      [
        "DEFAULT": .default, "STRICT_ALIGN_CORNERS": .strict_align_corners,
        "ALIGN_CORNERS": .align_corners, "OFFSET_CORNERS": .offset_corners,
        "UNALIGN_CORNERS": .unalign_corners,
      ])
    return parameters
  }
}

/// Where the samples of an axis lie, as programs name it.
enum GridMode {
  /// Spacing (size - size / output) / (output - 1), beginning at 0.
  case spread
  /// i * size / output.
  case asymmetric
  /// First and last samples on first and last elements; a single sample at the first.
  case strictAlignCorners
  /// The same; a single sample in the middle.
  case alignCorners
  /// (i + 0.5) * max(1, size - 1) / output.
  case offsetCorners
  /// (i + 0.5) * size / output - 0.5.
  case unalignCorners
}

extension ResizeAxis {
  /// Element floor(i * size / output), in whole numbers: the offset keeps a quotient that should be
  /// whole from falling below it, and is less than the distance to the next.
  var wholeNearest: ResizeGrid {
    ResizeGrid(
      output: output, step: Double(size) / Double(output), offset: 0.25 / Double(output))
  }

  /// The grid of a mode.
  func grid(_ mode: GridMode) -> ResizeGrid {
    switch mode {
    case .spread: return grid(SamplingMode.upsample)
    case .asymmetric:
      return ResizeGrid(output: output, step: Double(size) / Double(output), offset: 0)
    case .strictAlignCorners: return grid(SamplingMode.alignEndpoints)
    case .alignCorners: return grid(SamplingMode.strictAlignEndpoints)
    case .offsetCorners: return grid(SamplingMode.regionOfInterestAlign)
    case .unalignCorners: return grid(LinearUpsampleMode.halfPixelCenters)
    }
  }

  /// The nearest elements to the grid of a mode; in the middle `spread` takes the one before, so that
  /// twice the size repeats every element.
  func nearest(_ mode: GridMode) -> ResizeGrid {
    var grid = grid(mode)
    grid.offset += mode == .spread ? 0.5 - 1e-9 : 0.5
    return grid
  }
}
