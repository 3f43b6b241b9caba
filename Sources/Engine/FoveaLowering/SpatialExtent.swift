// Fovea - where windows begin and how many there are.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaModelValues

/// The windows of a convolution or of pooling along one axis.
///
/// Reading rules: Core ML's `ValidPadding`, `SamePadding` and `ValidCompletePadding`.
struct SpatialExtent: Equatable {
  /// Padding before the first element.
  var before: Int
  /// Padding after the last element.
  var after: Int
  /// The number of windows.
  var output: Int

  /// Stated padding: floor((size + before + after - kernel) / stride) + 1 windows.
  ///
  /// `kernel` is the effective size, (taps - 1) * dilation + 1. Returns `nil` when not one
  /// window fits, or a sum overflows.
  static func valid(
    size: Int, kernel: Int, stride: Int, before: Int, after: Int
  ) -> SpatialExtent? {
    let (start, overflowBefore) = size.addingReportingOverflow(before)
    let (padded, overflowAfter) = start.addingReportingOverflow(after)
    guard !overflowBefore, !overflowAfter, padded >= kernel, stride >= 1 else { return nil }
    return SpatialExtent(before: before, after: after, output: (padded - kernel) / stride + 1)
  }

  /// Padding such that ceil(size / stride) windows fit: at least
  /// max(0, (output - 1) * stride + kernel - size), the odd one where `heaviness` says.
  static func same(
    size: Int, kernel: Int, stride: Int, heaviness: SamePaddingHeaviness
  ) -> SpatialExtent? {
    guard stride >= 1, size >= 1 else { return nil }
    let output = (size - 1) / stride + 1
    let (reach, overflow) = ((output - 1) * stride).addingReportingOverflow(kernel)
    guard !overflow else { return nil }
    let total = max(0, reach - size)
    let small = total / 2
    return heaviness == .bottomRight
      ? SpatialExtent(before: small, after: total - small, output: output)
      : SpatialExtent(before: total - small, after: small, output: output)
  }

  /// Stated padding whose last window always holds the last element:
  /// ceil((size + before + after - kernel) / stride) + 1 windows; with `dropsPadding` one less if the
  /// last would begin behind the element and the padding before it.
  static func covering(
    size: Int, kernel: Int, stride: Int, before: Int, after: Int, dropsPadding: Bool
  ) -> SpatialExtent? {
    let (start, overflowBefore) = size.addingReportingOverflow(before)
    let (padded, overflowAfter) = start.addingReportingOverflow(after)
    guard !overflowBefore, !overflowAfter, padded >= kernel, stride >= 1 else { return nil }
    var output = (padded - kernel + stride - 1) / stride + 1
    if dropsPadding, (output - 1) * stride >= start { output -= 1 }
    guard output >= 1 else { return nil }
    return SpatialExtent(before: before, after: after, output: output)
  }

  /// Whether the last window ends behind the stated padding.
  func reachesBeyond(_ size: Int, kernel: Int, stride: Int) -> Bool {
    (output - 1) * stride + kernel > before + size + after
  }
}
