// Fovea - sampling pixels into a session's input.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaGeometry
package import FoveaImaging
package import FoveaRuntime

extension Session {
  /// Samples an image into the input `name`.
  ///
  /// - Parameters:
  ///   - layout: Of the decoded pixels, as they are stored.
  ///   - decodedScale: Decoded pixels to a pixel of the stored image, along both axes.
  /// - Throws: `.invalidRequest` for what has no geometry, `.runtime` for pixels that are fewer than
  ///   their layout says.
  func fill(
    _ name: String, from pixels: Span<UInt8>, layout: PixelLayout, geometry: ImageGeometry,
    decodedScale: Double = 1, filter: ResamplingFilter
  ) throws(DetectionError) {
    let sampling = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try geometry.sampling(
        decodedSize: ImageSize(width: layout.width, height: layout.height),
        decodedScale: decodedScale)
    }
    try DetectionError.translatingRuntime { () throws(FoveaError) in
      try fillImageInput(
        name, from: pixels, layout: layout, sampling: InputSampling(sampling), filter: filter)
    }
  }

  /// Samples all of an image into the image input `port`, as a request without options does.
  ///
  /// - Throws: `.invalidRequest` for an image without geometry, `.runtime`.
  package func fill(_ port: Model.Port, from image: Image) throws(DetectionError) {
    let stored = StoredImage(image, orientation: nil)
    let geometry = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(
        storedSize: stored.fullSize, orientation: stored.orientation, modelSize: port.imageSize)
    }
    try stored.fill(self, port.name, geometry: geometry, filter: .bilinear)
  }
}

extension InputSampling {
  /// The same in the words of the runtime; padding is black.
  fileprivate init(_ sampling: ImageSampling) {
    let map = sampling.map
    self.init(
      map: Map(a: map.a, b: map.b, c: map.c, d: map.d, tx: map.tx, ty: map.ty),
      sourceColumns: sampling.sourceColumns, sourceRows: sampling.sourceRows,
      contentColumns: sampling.contentColumns, contentRows: sampling.contentRows)
  }
}
