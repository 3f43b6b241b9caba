// Fovea - codes, by the names of Vision for Swift.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
public import FoveaAppleVision
internal import FoveaStills

/// A kind of code.
///
/// `FoveaStills.BarcodeSymbology` has one kind more, `unknown`, which would keep a `switch` over the kinds
/// of Vision from being complete.
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

  let sighting: Sighting<FoveaStills.BarcodeObservation>
  public let symbology: BarcodeSymbology

  /// The code of an observation of the older kind; `nil` for a code whose kind is not known.
  public init?(_ observation: VNBarcodeObservation) {
    self.init(Sighting(observation.code, of: observation))
  }

  init?(_ sighting: Sighting<FoveaStills.BarcodeObservation>) {
    guard let kind = BarcodeSymbology(rawValue: sighting.value.symbology.rawValue) else {
      return nil
    }
    (self.sighting, symbology) = (sighting, kind)
  }

  public var uuid: UUID { sighting.uuid }
  public var confidence: Float { sighting.confidence }
  public var timeRange: CMTimeRange? { sighting.timeRange }
  public var originatingRequestDescriptor: RequestDescriptor? { sighting.descriptor }
  public var topLeft: NormalizedPoint { sighting.topLeft }
  public var topRight: NormalizedPoint { sighting.topRight }
  public var bottomRight: NormalizedPoint { sighting.bottomRight }
  public var bottomLeft: NormalizedPoint { sighting.bottomLeft }
  public var payloadString: String? { sighting.value.payloadString }
  public var payloadData: Data? { sighting.value.payloadData.map { Data($0) } }
  public var isGS1DataCarrier: Bool { sighting.value.isGS1DataCarrier }
  public var isColorInverted: Bool { sighting.value.isColorInverted }

  /// The second part of a composite code; no such part is read.
  public var supplementalPayloadString: String? { nil }
  public var supplementalPayloadData: Data? { nil }
  public var supplementalCompositeType: CompositeType? { nil }
}
