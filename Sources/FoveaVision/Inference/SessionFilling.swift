// Fovea - sampling pixels into a session's input.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaRuntime

extension Session {
  /// Samples a picture into the input `name`.
  ///
  /// - Throws: `.runtime` for pixels that are fewer than their layout says.
  func fill(
    _ name: String, from pixels: Span<UInt8>, layout: PixelLayout, _ sampling: ImageSampling,
    filter: ResamplingFilter
  ) throws(DetectionError) {
    try DetectionError.translatingRuntime { () throws(FoveaError) in
      try fillImageInput(
        name, from: pixels, layout: layout, sampling: InputSampling(sampling), filter: filter)
    }
  }
}

extension InputSampling {
  /// The same in the words of the runtime; padding is black.
  package init(_ sampling: ImageSampling) {
    let map = sampling.map
    self.init(
      map: Map(a: map.a, b: map.b, c: map.c, d: map.d, tx: map.tx, ty: map.ty),
      sourceColumns: sampling.sourceColumns, sourceRows: sampling.sourceRows,
      contentColumns: sampling.contentColumns, contentRows: sampling.contentRows)
  }
}
