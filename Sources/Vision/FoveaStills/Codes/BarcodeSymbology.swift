// Fovea - the kinds of codes.
// SPDX-License-Identifier: Apache-2.0

/// A kind of code. Names and raw values are those of Vision, but for `unknown`.
public enum BarcodeSymbology: String, CaseIterable, Codable, Hashable, Sendable {
  case aztec = "VNBarcodeSymbologyAztec"
  case codabar = "VNBarcodeSymbologyCodabar"
  case code128 = "VNBarcodeSymbologyCode128"
  case code39 = "VNBarcodeSymbologyCode39"
  /// Code 39 whose last character is a check character; it stays in the payload.
  case code39Checksum = "VNBarcodeSymbologyCode39Checksum"
  /// Code 39 in which pairs of characters stand for one of ASCII.
  case code39FullASCII = "VNBarcodeSymbologyCode39FullASCII"
  case code39FullASCIIChecksum = "VNBarcodeSymbologyCode39FullASCIIChecksum"
  case code93 = "VNBarcodeSymbologyCode93"
  /// Code 93 with pairs that stand for one character; they are read as `code93`.
  case code93i = "VNBarcodeSymbologyCode93i"
  case dataMatrix = "VNBarcodeSymbologyDataMatrix"
  /// EAN-13, and UPC-A, whose payload begins with 0 then.
  case ean13 = "VNBarcodeSymbologyEAN13"
  case ean8 = "VNBarcodeSymbologyEAN8"
  case gs1DataBar = "VNBarcodeSymbologyGS1DataBar"
  case gs1DataBarExpanded = "VNBarcodeSymbologyGS1DataBarExpanded"
  case gs1DataBarLimited = "VNBarcodeSymbologyGS1DataBarLimited"
  /// Interleaved 2 of 5.
  case i2of5 = "VNBarcodeSymbologyI2of5"
  /// Interleaved 2 of 5 whose last digit is a check digit; it stays in the payload.
  case i2of5Checksum = "VNBarcodeSymbologyI2of5Checksum"
  /// Interleaved 2 of 5 with 14 digits, the last of which is a check digit.
  case itf14 = "VNBarcodeSymbologyITF14"
  case microPDF417 = "VNBarcodeSymbologyMicroPDF417"
  case microQR = "VNBarcodeSymbologyMicroQR"
  case msiPlessey = "VNBarcodeSymbologyMSIPlessey"
  case pdf417 = "VNBarcodeSymbologyPDF417"
  case qr = "VNBarcodeSymbologyQR"
  case upce = "VNBarcodeSymbologyUPCE"
  /// A code that was found and not read, of a kind that cannot be told without. Vision has no such.
  case unknown = "FoveaBarcodeSymbologyUnknown"
}

extension BarcodeSymbology: CustomStringConvertible {
  /// The name of the case.
  public var description: String { Self.names[self] ?? rawValue }

  private static let names: [Self: String] = [
    .aztec: "aztec", .codabar: "codabar", .code128: "code128", .code39: "code39",
    .code39Checksum: "code39Checksum", .code39FullASCII: "code39FullASCII",
    .code39FullASCIIChecksum: "code39FullASCIIChecksum", .code93: "code93", .code93i: "code93i",
    .dataMatrix: "dataMatrix", .ean13: "ean13", .ean8: "ean8", .gs1DataBar: "gs1DataBar",
    .gs1DataBarExpanded: "gs1DataBarExpanded", .gs1DataBarLimited: "gs1DataBarLimited",
    .i2of5: "i2of5", .i2of5Checksum: "i2of5Checksum", .itf14: "itf14",
    .microPDF417: "microPDF417", .microQR: "microQR", .msiPlessey: "msiPlessey",
    .pdf417: "pdf417", .qr: "qr", .upce: "upce", .unknown: "unknown",
  ]
}
