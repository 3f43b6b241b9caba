// Fovea - codes, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision

/// A kind of code.
public enum BarcodeSymbology: String, Hashable, Codable, Sendable, CaseIterable {
  case aztec = "VNBarcodeSymbologyAztec"
  case codabar = "VNBarcodeSymbologyCodabar"
  case code128 = "VNBarcodeSymbologyCode128"
  case code39 = "VNBarcodeSymbologyCode39"
  case code39Checksum = "VNBarcodeSymbologyCode39Checksum"
  case code39FullASCII = "VNBarcodeSymbologyCode39FullASCII"
  case code39FullASCIIChecksum = "VNBarcodeSymbologyCode39FullASCIIChecksum"
  case code93 = "VNBarcodeSymbologyCode93"
  case code93i = "VNBarcodeSymbologyCode93i"
  case dataMatrix = "VNBarcodeSymbologyDataMatrix"
  case ean13 = "VNBarcodeSymbologyEAN13"
  case ean8 = "VNBarcodeSymbologyEAN8"
  case gs1DataBar = "VNBarcodeSymbologyGS1DataBar"
  case gs1DataBarExpanded = "VNBarcodeSymbologyGS1DataBarExpanded"
  case gs1DataBarLimited = "VNBarcodeSymbologyGS1DataBarLimited"
  case i2of5 = "VNBarcodeSymbologyI2of5"
  case i2of5Checksum = "VNBarcodeSymbologyI2of5Checksum"
  case itf14 = "VNBarcodeSymbologyITF14"
  case microPDF417 = "VNBarcodeSymbologyMicroPDF417"
  case microQR = "VNBarcodeSymbologyMicroQR"
  case msiPlessey = "VNBarcodeSymbologyMSIPlessey"
  case pdf417 = "VNBarcodeSymbologyPDF417"
  case qr = "VNBarcodeSymbologyQR"
  case upce = "VNBarcodeSymbologyUPCE"
}

/// A code. One that was found and not read has no payload.
public struct BarcodeObservation: VisionObservation, QuadrilateralProviding {
  public enum CompositeType: Hashable, Codable, Sendable {
    case linked, gs1TypeA, gs1TypeB, gs1TypeC
  }

  public let uuid: UUID
  public let confidence: Float
  public private(set) var timeRange: CMTimeRange?
  public let originatingRequestDescriptor: RequestDescriptor?
  public let topLeft, topRight, bottomRight, bottomLeft: NormalizedPoint
  public let symbology: BarcodeSymbology
  public let payloadString: String?
  public let payloadData: Data?
  public let isGS1DataCarrier: Bool
  public let isColorInverted: Bool

  /// The code of an observation of the older kind; `nil` for a code whose kind is not known.
  public init?(_ observation: VNBarcodeObservation) { self.init(observation, nil) }

  init?(_ observation: VNBarcodeObservation, _ descriptor: RequestDescriptor?) {
    guard let kind = BarcodeSymbology(rawValue: observation.symbology.rawValue) else { return nil }
    symbology = kind
    (uuid, confidence) = (observation.uuid, observation.confidence)
    timeRange = observation.frameTime
    originatingRequestDescriptor = descriptor
    (topLeft, topRight, bottomRight, bottomLeft) = observation.corners
    (payloadString, payloadData) = (observation.payloadStringValue, observation.payloadData)
    isGS1DataCarrier = observation.isGS1DataCarrier
    isColorInverted = observation.isColorInverted
  }

  /// The second part of a composite code; no such part is read.
  public var supplementalPayloadString: String? { nil }
  public var supplementalPayloadData: Data? { nil }
  public var supplementalCompositeType: CompositeType? { nil }
}
