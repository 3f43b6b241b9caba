// Fovea - how a picture is brought to a network.
// SPDX-License-Identifier: Apache-2.0
package import FoveaGeometry
package import FoveaRuntime

/// How a picture is brought to a network: what all requests for maps have.
package struct InputView: Hashable, Sendable {
  /// The part of the upright picture that the network sees.
  package var regionOfInterest = NormalizedRect.fullImage
  /// How the region is brought to the size of the network's input.
  package var cropAndScaleAction = ImageCropAndScaleAction.scaleToFill
  /// The position of the picture if the action leaves padding. Padding is black.
  package var paddingAnchor = PaddingAnchor.centered
  /// The filter that scales the picture to the network's input.
  package var resamplingFilter = ResamplingFilter.bilinear
  /// Whether a JPEG much larger than the network's input may be decoded at a part of its size.
  package var allowsReducedDecoding = true

  package init() {}

  /// How a stored picture becomes the input of a network.
  ///
  /// - Throws: `.invalidRequest` for a region of interest that leaves the picture.
  package func preparation(
    of storedSize: ImageSize, _ orientation: ImageOrientation, _ input: Model.Port
  ) throws(DetectionError) -> InputPreparation {
    let geometry = try DetectionError.translatingGeometry { () throws(GeometryError) in
      try ImageGeometry(
        storedSize: storedSize, orientation: orientation, regionOfInterest: regionOfInterest,
        cropAndScaleAction: cropAndScaleAction, paddingAnchor: paddingAnchor,
        modelSize: input.imageSize)
    }
    return InputPreparation(geometry: geometry, filter: resamplingFilter, shape: input.shape)
  }
}
