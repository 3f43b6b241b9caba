// Fovea - lowering of convolutions.
// SPDX-License-Identifier: Apache-2.0
internal import CFovea
internal import FoveaCore
internal import FoveaModelValues

extension LayerLowering {
  /// A convolution or a deconvolution. Weights and biases go to the core as they are
  /// stored; it checks that they are as many as the kernel and the channels need.
  func convolution(_ parameters: ConvolutionLayer) throws(FoveaError) -> GraphValue {
    if inputs.count == 2 {
      throw FoveaError(
        .unsupported,
        "its weights are computed by another layer; convolutions can be run with stored weights")
    }
    let input = try planes()
    try checkChannels(parameters, input: input)
    let core =
      try parameters.isDeconvolution
      ? transposedParameters(parameters, input: input)
      : directParameters(parameters, input: input)
    return try graph.convolution(
      input, core, weights: parameters.weights, bias: parameters.bias,
      isTransposed: parameters.isDeconvolution)
  }

  private func checkChannels(
    _ parameters: ConvolutionLayer, input: GraphValue
  ) throws(FoveaError) {
    let channels = input.size(fromEnd: 3)
    let groups = parameters.groups
    guard groups >= 1, parameters.outputChannels % groups == 0 else {
      throw mismatch("\(parameters.outputChannels) output channels cannot make \(groups) groups")
    }
    guard channels == parameters.inputChannels else {
      let grouped = groups > 1 && !parameters.isDeconvolution ? " in each of \(groups) groups" : ""
      throw mismatch(
        "kernelChannels is \(parameters.kernelChannels)\(grouped), the input has"
          + " \(channels) channels")
    }
    guard channels % groups == 0 else {
      throw mismatch("\(channels) input channels cannot make \(groups) groups")
    }
  }

  private func directParameters(
    _ parameters: ConvolutionLayer, input: GraphValue
  ) throws(FoveaError) -> fov_convolution {
    let (height, width) = input.plane
    let rows = try extent(
      size: height, taps: parameters.kernelSize.height, stride: parameters.stride.height,
      dilation: parameters.dilation.height, parameters.padding, isVertical: true)
    let columns = try extent(
      size: width, taps: parameters.kernelSize.width, stride: parameters.stride.width,
      dilation: parameters.dilation.width, parameters.padding, isVertical: false)
    return fov_convolution(
      output_channels: parameters.outputChannels, groups: parameters.groups,
      kernel: parameters.kernelSize.pair, stride: parameters.stride.pair,
      dilation: parameters.dilation.pair, before: (rows.before, columns.before),
      after: (rows.after, columns.after), output_extension: (0, 0))
  }

  private func extent(
    size: Int, taps: Int, stride: Int, dilation: Int, _ padding: ConvolutionPadding,
    isVertical: Bool
  ) throws(FoveaError) -> SpatialExtent {
    let reach = try product([taps - 1, dilation])
    let extent: SpatialExtent? =
      switch padding {
      case .valid(let amounts):
        SpatialExtent.valid(
          size: size, kernel: reach + 1, stride: stride,
          before: isVertical ? amounts.top : amounts.left,
          after: isVertical ? amounts.bottom : amounts.right)
      case .same(let heaviness):
        SpatialExtent.same(
          size: size, kernel: reach + 1, stride: stride, heaviness: heaviness)
      }
    guard let extent else {
      throw mismatch(
        "a kernel of \(taps) taps and dilation \(dilation) does not fit into"
          + " \(size) \(isVertical ? "rows" : "columns") and the padding")
    }
    return extent
  }

  /// A deconvolution writes (size - 1) * stride + kernel rows before anything is cut off.
  ///
  /// `valid` cuts the stated amounts, `same` leaves size * stride, and an output shape, which
  /// overrides both, leaves itself; the odd row is cut where the padding's heaviness says. Where
  /// more is asked for than is written, rows are added at the end.
  private func transposedParameters(
    _ parameters: ConvolutionLayer, input: GraphValue
  ) throws(FoveaError) -> fov_convolution {
    guard parameters.dilation == SpatialSize(height: 1, width: 1) else {
      throw FoveaError(
        .unsupported, "transposed convolutions can be run with a dilation of 1 only")
    }
    let (height, width) = input.plane
    let rows = try transposedExtent(
      size: height, taps: parameters.kernelSize.height, stride: parameters.stride.height,
      parameters.padding, wanted: parameters.outputShape?.height, isVertical: true)
    let columns = try transposedExtent(
      size: width, taps: parameters.kernelSize.width, stride: parameters.stride.width,
      parameters.padding, wanted: parameters.outputShape?.width, isVertical: false)
    return fov_convolution(
      output_channels: parameters.outputChannels, groups: parameters.groups,
      kernel: parameters.kernelSize.pair, stride: parameters.stride.pair, dilation: (1, 1),
      before: (rows.before, columns.before), after: (rows.after, columns.after),
      output_extension: (rows.extension, columns.extension))
  }

  private func transposedExtent(
    size: Int, taps: Int, stride: Int, _ padding: ConvolutionPadding, wanted: Int?,
    isVertical: Bool
  ) throws(FoveaError) -> (before: Int, after: Int, extension: Int) {
    let (written, overflow) = try product([size - 1, stride]).addingReportingOverflow(taps)
    guard !overflow else { throw FoveaError(.overflow, "its output is too large") }
    var output = wanted
    var heaviness = SamePaddingHeaviness.bottomRight
    switch padding {
    case .valid(let amounts):
      guard output == nil else { break }
      let before = isVertical ? amounts.top : amounts.left
      let after = isVertical ? amounts.bottom : amounts.right
      guard before < written, after < written - before else {
        throw mismatch("the padding cuts off all \(written) rows or columns")
      }
      return (before, after, 0)
    case .same(let side):
      heaviness = side
      if output == nil { output = try product([size, stride]) }
    }
    let cut = written - (output ?? written)
    if cut <= 0 { return (0, 0, -cut) }
    let small = cut / 2
    return heaviness == .bottomRight ? (small, cut - small, 0) : (cut - small, small, 0)
  }
}

extension SpatialSize {
  /// Rows and columns as the core's array of two.
  var pair: (Int, Int) { (height, width) }
}
