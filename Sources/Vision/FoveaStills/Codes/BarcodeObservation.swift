// Fovea - a code that was found.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// A code in a picture, and what it says.
public struct BarcodeObservation: QuadrilateralProviding, Hashable, Codable, Sendable {
  /// The kind of code.
  public let symbology: BarcodeSymbology
  /// What the code says; `nil` where its bytes are no text, and where it was found but not read.
  ///
  /// EAN and UPC have all their digits: 13 for UPC-A and UPC-E, too. GS1 element strings have no
  /// brackets. Codabar has its start and stop characters, Code 39 its check character.
  public let payloadString: String?
  /// The bytes of the code, which are `payloadString` in the code's own encoding; `nil` if not read.
  public let payloadData: [UInt8]?
  /// The digits of the add-on of two or five digits beside an EAN or UPC code. Vision has no such.
  public let addOn: String?
  /// Whether the payload is a GS1 element string.
  public let isGS1DataCarrier: Bool
  /// Whether the code is light on dark.
  public let isColorInverted: Bool
  /// How sure it is, 0 to 1. A code that was not read has the confidence of the detector.
  public let confidence: Float
  /// The corner at the code's own upper left, in fractions of the upright image from its lower left. The
  /// corners are those of the outermost bars or modules, without the quiet zone.
  public let topLeft: NormalizedPoint
  /// The corner at the code's own upper right.
  public let topRight: NormalizedPoint
  /// The corner at the code's own lower right.
  public let bottomRight: NormalizedPoint
  /// The corner at the code's own lower left.
  public let bottomLeft: NormalizedPoint

  /// A code with its corners.
  package init(
    symbology: BarcodeSymbology, payload: CodePayload?, isColorInverted: Bool, confidence: Float,
    corners: Quadrilateral
  ) {
    self.symbology = symbology
    payloadString = payload?.string
    payloadData = payload?.bytes
    addOn = payload?.addOn
    isGS1DataCarrier = payload?.isGS1 ?? false
    self.isColorInverted = isColorInverted
    self.confidence = confidence
    (topLeft, topRight) = (corners.topLeft, corners.topRight)
    (bottomRight, bottomLeft) = (corners.bottomRight, corners.bottomLeft)
  }
}
