// Fovea - sampling pixels into a session's input.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaImaging
package import FoveaRuntime

extension Session {
  /// Samples pixels into the input `name`.
  ///
  /// - Parameters:
  ///   - layout: Of the decoded pixels, as they are stored.
  ///   - reductionFactor: How many pixels of the stored image, on each axis, a decoded pixel stands
  ///     for.
  ///   - geometry: How the stored image lies in the input.
  /// - Throws: `.invalidRequest` for what has no geometry, `.runtime` for pixels that are fewer than
  ///   their layout says.
  package func fill(
    _ name: String, from pixels: RawSpan, layout: PixelLayout, reductionFactor: Int = 1,
    geometry: ImageGeometry, filter: ResamplingFilter
  ) throws(DetectionError) {
    let sampling = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try geometry.sampling(
        decodedSize: ImageSize(width: layout.width, height: layout.height),
        decodedScale: 1 / Double(reductionFactor))
    }
    do throws(FoveaError) {
      try fillImageInput(name, from: pixels, layout: layout, sampling: sampling, filter: filter)
    } catch {
      throw .runtime(error)
    }
  }

  /// Samples all of an image into the image input `port`, as a request without options does.
  ///
  /// - Throws: `.invalidRequest` for an image without geometry, `.runtime`.
  package func fill(_ port: Model.Port, from image: Image) throws(DetectionError) {
    let source = image.imageSource
    let size = try source.storedSize()
    let geometry = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(
        storedSize: size, orientation: source.orientation, modelSize: port.imageSize)
    }
    let pixels = DecodedPixels(image)
    try fill(
      port.name, from: pixels.bytes.span.bytes, layout: pixels.layout,
      reductionFactor: pixels.reductionFactor, geometry: geometry, filter: .bilinear)
  }
}
