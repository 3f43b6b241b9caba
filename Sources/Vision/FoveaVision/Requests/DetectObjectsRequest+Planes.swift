// Fovea - performing a request on planes, as decoders of videos leave them.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaRuntime

/// How planes are seen.
package struct PlanesView: Sendable, Hashable {
  /// How to turn the image.
  package var orientation: ImageOrientation
  /// For a woven image: whether its top or its bottom field alone is looked at. `nil` looks at all
  /// rows. Boxes are fractions of the full image either way.
  package var topField: Bool?
  /// The width of a stored pixel divided by its height.
  package var pixelAspect: Double

  /// How planes are seen; all of them, as they are, without more words.
  package init(
    orientation: ImageOrientation = .up, topField: Bool? = nil, pixelAspect: Double = 1
  ) {
    self.orientation = orientation
    self.topField = topField
    self.pixelAspect = pixelAspect
  }

  /// The size of an image whose pixels are made square.
  func squareSize(of size: ImageSize) -> ImageSize {
    guard pixelAspect > 0, pixelAspect.isFinite, pixelAspect != 1 else { return size }
    let width = (Double(size.width) * pixelAspect).rounded()
    guard width >= 1, width <= Double(ImageGeometry.maximumSide) else { return size }
    return ImageSize(width: Int(width), height: size.height)
  }
}

extension DetectObjectsRequest {
  /// The objects in planes that somebody else holds, such as a frame of a video. They are sampled
  /// where they lie and not copied. Pixels that are not square are seen as they are shown.
  ///
  /// - Parameters:
  ///   - planes: The image as it is stored.
  ///   - view: How it is seen.
  ///   - inputSize: An allowed size of the network's input; `nil` for that of the request.
  /// - Throws: As `result(onPixels:layout:orientation:)`.
  package func result(
    onPlanes planes: PixelPlanes, _ view: PlanesView = PlanesView(), inputSize: ImageSize? = nil
  ) throws(DetectionError) -> DetectObjectsResult {
    let settings = try resolvedSettings()
    let preparation = try preparation(
      of: view.squareSize(of: planes.size), orientation: view.orientation, inputSize: inputSize)
    let detector = try detector(for: preparation)
    return try detector.detect(job(settings, preparation)) { session throws(DetectionError) in
      try session.fill(
        detector.layout.imageInput, from: planes, view, geometry: preparation.geometry,
        filter: preparation.filter)
    }.result
  }

  /// The size of the network's input that the request asks for.
  package func inputSize(forPlanes planes: PixelPlanes, _ view: PlanesView) -> ImageSize {
    inputSize(of: view.squareSize(of: planes.size), orientation: view.orientation)
  }

  /// Allowed sizes of the network's input with fewer pixels than `size`, the largest first.
  package func inputSizes(below size: ImageSize) -> [ImageSize] {
    model.imageSizes(below: size)
  }
}

extension Session {
  /// Samples planes into the input `name`.
  ///
  /// - Parameter geometry: That of the image with square pixels.
  /// - Throws: `.invalidRequest` for what has no geometry, `.runtime`.
  package func fill(
    _ name: String, from planes: PixelPlanes, _ view: PlanesView, geometry: ImageGeometry,
    filter: ResamplingFilter
  ) throws(DetectionError) {
    var sampling = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try geometry.sampling()
    }
    if geometry.storedSize.width != planes.size.width {
      sampling = sampling.ofColumns(planes.size.width, shownAs: geometry.storedSize.width)
    }
    try DetectionError.translatingRuntime { () throws(FoveaError) in
      guard let topField = view.topField, let field = planes.field(isTop: topField) else {
        return try fillImageInput(name, from: planes, sampling: sampling, filter: filter)
      }
      try fillImageInput(
        name, from: field, sampling: sampling.ofField(isTop: topField, rows: field.size.height),
        filter: filter)
    }
  }
}
