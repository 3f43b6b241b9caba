// Fovea - the request that finds and reads codes.
// SPDX-License-Identifier: Apache-2.0
public import FoveaApple
package import FoveaStills

public let VNDetectBarcodesRequestRevision1 = 1
public let VNDetectBarcodesRequestRevision2 = 2
public let VNDetectBarcodesRequestRevision3 = 3
public let VNDetectBarcodesRequestRevision4 = 4

/// A request that finds codes and reads them.
public final class VNDetectBarcodesRequest: VNImageBasedRequest {
  /// The kinds to look for; all that can be read unless set.
  public var symbologies = VNDetectBarcodesRequest.supportedSymbologies
  /// Whether the parts of a composite code are one result. Only linear parts are read.
  public var coalesceCompositeSymbologies = false

  public override class var supportedRevisions: IndexSet { IndexSet(1...4) }

  /// The kinds that can be read.
  public class var supportedSymbologies: [VNBarcodeSymbology] {
    FoveaStills.DetectBarcodesRequest.supportedSymbologies.map {
      VNBarcodeSymbology(rawValue: $0.rawValue)
    }
  }

  public func supportedSymbologies() throws -> [VNBarcodeSymbology] { Self.supportedSymbologies }

  public var results: [VNBarcodeObservation]? { found as? [VNBarcodeObservation] }

  package override func observations(in picture: VisionImage) throws -> [VNObservation] {
    var request = FoveaStills.DetectBarcodesRequest()
    request.symbologies = try symbologies.map { symbology in
      guard let known = FoveaStills.BarcodeSymbology(rawValue: symbology.rawValue) else {
        throw VisionFailure(
          .invalidArgument, "symbologies has \(symbology.rawValue), which is no kind of code")
      }
      return known
    }
    request.coalescesCompositeSymbologies = coalesceCompositeSymbologies
    return try picture.found(request, in: regionOfInterest).map { VNBarcodeObservation($0) }
  }
}

/// A code. One that was found and not read has no payload.
public final class VNBarcodeObservation: VNRectangleObservation {
  package let code: FoveaStills.BarcodeObservation
  /// The second part of a composite code; no such part is read.
  public let supplementalPayloadString: String? = nil
  public let supplementalPayloadData: Data? = nil
  public let supplementalCompositeType = VNBarcodeCompositeType.none

  init(_ code: FoveaStills.BarcodeObservation) {
    self.code = code
    super.init(Quadrilateral(code), confidence: code.confidence)
  }

  public var symbology: VNBarcodeSymbology {
    VNBarcodeSymbology(rawValue: code.symbology.rawValue)
  }
  public var payloadStringValue: String? { code.payloadString }
  public var payloadData: Data? { code.payloadData.map { Data($0) } }
  public var isGS1DataCarrier: Bool { code.isGS1DataCarrier }
  public var isColorInverted: Bool { code.isColorInverted }

  public override var description: String {
    "\(super.description) symbology=\(symbology.rawValue) payload=\(payloadStringValue ?? "none")"
  }
}

public enum VNBarcodeCompositeType: Int, Sendable {
  case none, linked, gs1TypeA, gs1TypeB, gs1TypeC
}

/// A kind of code.
public struct VNBarcodeSymbology: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  private init(_ name: String) { self.init(rawValue: "VNBarcodeSymbology" + name) }

  public static let aztec = VNBarcodeSymbology("Aztec")
  public static let codabar = VNBarcodeSymbology("Codabar")
  public static let code128 = VNBarcodeSymbology("Code128")
  public static let code39 = VNBarcodeSymbology("Code39")
  public static let code39Checksum = VNBarcodeSymbology("Code39Checksum")
  public static let code39FullASCII = VNBarcodeSymbology("Code39FullASCII")
  public static let code39FullASCIIChecksum = VNBarcodeSymbology("Code39FullASCIIChecksum")
  public static let code93 = VNBarcodeSymbology("Code93")
  public static let code93i = VNBarcodeSymbology("Code93i")
  public static let dataMatrix = VNBarcodeSymbology("DataMatrix")
  public static let ean13 = VNBarcodeSymbology("EAN13")
  public static let ean8 = VNBarcodeSymbology("EAN8")
  public static let gs1DataBar = VNBarcodeSymbology("GS1DataBar")
  public static let gs1DataBarExpanded = VNBarcodeSymbology("GS1DataBarExpanded")
  public static let gs1DataBarLimited = VNBarcodeSymbology("GS1DataBarLimited")
  public static let i2of5 = VNBarcodeSymbology("I2of5")
  public static let i2of5Checksum = VNBarcodeSymbology("I2of5Checksum")
  public static let itf14 = VNBarcodeSymbology("ITF14")
  public static let microPDF417 = VNBarcodeSymbology("MicroPDF417")
  public static let microQR = VNBarcodeSymbology("MicroQR")
  public static let msiPlessey = VNBarcodeSymbology("MSIPlessey")
  public static let pdf417 = VNBarcodeSymbology("PDF417")
  public static let qr = VNBarcodeSymbology("QR")
  public static let upce = VNBarcodeSymbology("UPCE")
}

// Names of before 2020.
extension VNBarcodeSymbology {
  @available(*, deprecated, renamed: "aztec") public static var Aztec: Self { aztec }
  @available(*, deprecated, renamed: "code39") public static var Code39: Self { code39 }
  @available(*, deprecated, renamed: "code39Checksum")
  public static var Code39Checksum: Self { code39Checksum }
  @available(*, deprecated, renamed: "code39FullASCII")
  public static var Code39FullASCII: Self { code39FullASCII }
  @available(*, deprecated, renamed: "code39FullASCIIChecksum")
  public static var Code39FullASCIIChecksum: Self { code39FullASCIIChecksum }
  @available(*, deprecated, renamed: "code93") public static var Code93: Self { code93 }
  @available(*, deprecated, renamed: "code93i") public static var Code93i: Self { code93i }
  @available(*, deprecated, renamed: "code128") public static var Code128: Self { code128 }
  @available(*, deprecated, renamed: "dataMatrix") public static var DataMatrix: Self { dataMatrix }
  @available(*, deprecated, renamed: "ean8") public static var EAN8: Self { ean8 }
  @available(*, deprecated, renamed: "ean13") public static var EAN13: Self { ean13 }
  @available(*, deprecated, renamed: "i2of5") public static var I2OF5: Self { i2of5 }
  @available(*, deprecated, renamed: "i2of5Checksum")
  public static var I2OF5Checksum: Self { i2of5Checksum }
  @available(*, deprecated, renamed: "itf14") public static var ITF14: Self { itf14 }
  @available(*, deprecated, renamed: "pdf417") public static var PDF417: Self { pdf417 }
  @available(*, deprecated, renamed: "qr") public static var QR: Self { qr }
  @available(*, deprecated, renamed: "upce") public static var UPCE: Self { upce }
}
