// Fovea - the detector that Fovea ships.
// SPDX-License-Identifier: Apache-2.0
internal import CCodesAndText
public import FoveaRuntime

extension Model {
  /// The detector that comes with Fovea: QR codes, linear barcodes, Data Matrix symbols, lines of
  /// text and documents.
  ///
  /// ```swift
  /// import Fovea
  /// import FoveaCodesAndText
  ///
  /// let request = try DetectObjectsRequest(model: .codesAndText)
  /// for object in try request.perform(on: ImageFile(contentsOf: "receipt.jpg")) { print(object) }
  /// ```
  ///
  /// A network with the topology of YOLOv3-tiny and an input of 416 x 416 pixels, trained by this
  /// project on drawn scenes. `Sources/Models/CCodesAndText/CodesAndText.md` says what it finds and
  /// misses. The file is part of the program. The model is loaded once, at first use, with the
  /// default options.
  ///
  /// - Throws: `.outOfMemory`.
  public static var codesAndText: Model {
    get throws(FoveaError) { try sharedCodesAndText.get() }
  }

  /// Loads the detector that comes with Fovea, with options.
  ///
  /// - Throws: `.outOfMemory`; `.unsupported` or `.invalidArgument` for options that this processor
  ///   or this model cannot satisfy.
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
