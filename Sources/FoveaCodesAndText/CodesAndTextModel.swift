// Fovea - the detector that Fovea ships.
// SPDX-License-Identifier: Apache-2.0
internal import CCodesAndText
public import FoveaRuntime

extension Model {
  /// The detector that Fovea ships: QR codes, linear barcodes, Data Matrix symbols, lines of text and
  /// documents in still images.
  ///
  /// ```swift
  /// import Fovea
  /// import FoveaCodesAndText
  ///
  /// let request = try DetectObjectsRequest(model: .codesAndText)
  /// for object in try request.perform(on: ImageFile(contentsOf: "receipt.jpg")) { print(object) }
  /// ```
  ///
  /// A network of YOLOv3-tiny's topology for images of 416 x 416 pixels, trained by this
  /// project on drawn scenes; `Sources/CCodesAndText/CodesAndText.md` says what it finds and what it misses.
  /// The file is part of the program. The model is loaded with the default options at first use, once.
  ///
  /// - Throws: `.outOfMemory`.
  public static var codesAndText: Model {
    get throws(FoveaError) { try sharedCodesAndText.get() }
  }

  /// The detector that Fovea ships, loaded anew with options of its own.
  ///
  /// - Throws: `.outOfMemory`, or what the options ask for and the processor lacks.
  /// - Complexity: Some milliseconds: weights are packed.
  public static func codesAndText(options: Options) throws(FoveaError) -> Model {
    var count = 0
    let bytes = fov_codes_and_text_bytes(&count)
    return try Model(
      bytes: Array(UnsafeBufferPointer(start: bytes, count: count)), name: "CodesAndText",
      options: options)
  }

  private static let sharedCodesAndText = Result { () throws(FoveaError) in
    try codesAndText(options: Options())
  }
}
