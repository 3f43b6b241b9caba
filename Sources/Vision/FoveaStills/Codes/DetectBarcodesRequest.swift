// Fovea - the request for codes.
// SPDX-License-Identifier: Apache-2.0
public import FoveaGeometry

/// Finds the codes in a picture and reads them.
///
///     let codes = try DetectBarcodesRequest().perform(on: ImageFile(contentsOf: "parcel.jpg"))
///
/// zxing-cpp reads them, in a process of its own (the trait `Codes`). The detector that comes with Fovea
/// shows where codes are, so that they are turned, rectified and enlarged first.
public struct DetectBarcodesRequest: StillRequest {
  /// How much time a picture is worth.
  public enum Level: String, CaseIterable, Hashable, Sendable {
    /// The picture and its boxes, in every way that finds more.
    case accurate
    /// The picture, and each box in the two best ways.
    case fast
  }

  /// The part of the upright image to look at.
  public var regionOfInterest = NormalizedRect.fullImage
  /// The kinds to look for; all that can be read unless set. Others cost no time.
  public var symbologies = Self.supportedSymbologies
  /// Whether the parts of a GS1 composite are one result. No library reads the part in two dimensions,
  /// so both values give the linear part alone.
  public var coalescesCompositeSymbologies = false
  /// The greatest number of results, the surest first; `nil` for all.
  public var maximumObservations: Int?
  /// How much time a picture is worth.
  public var level = Level.accurate
  /// Whether codes that were found and not read are results, without a payload.
  public var includesUnreadCodes = true

  /// The kinds that can be read.
  public static let supportedSymbologies: [BarcodeSymbology] = BarcodeSymbology.allCases.filter {
    ![.gs1DataBarLimited, .microPDF417, .msiPlessey, .unknown].contains($0)
  }

  /// A request for all kinds of codes.
  public init() {}

  /// Finds and reads the codes of a picture, the surest first.
  ///
  /// - Throws: `.invalidRequest`, `.detection`, `.traitDisabled`, `.libraryUnavailable` and
  ///   `.libraryFailed`, when the process cannot be started. A code that the library fails on is not read.
  public func result(in picture: StillPicture) throws(StillError) -> [BarcodeObservation] {
    try check()
    let reader = try CodeReader.opened()
    return try picture.found { picture throws(StillError) in
      try codes(in: picture, reader)
    } isFound: {
      $0.contains { $0.payloadString != nil || $0.payloadData != nil }
    }
  }

  private func codes(
    in picture: StillPicture, _ reader: CodeReader
  ) throws(StillError) -> [BarcodeObservation] {
    let part = try picture.part(regionOfInterest)
    var search = CodeSearch(
      part, reader, wanted: Set(symbologies), isThorough: level == .accurate)
    try search.run()
    search.refineCorners()
    var results = search.codes.accepted.map { code in
      BarcodeObservation(
        symbology: code.symbology, payload: code.payload,
        isColorInverted: code.symbol.isInverted, confidence: code.votes > 1 ? 1 : 0.9,
        corners: part.quadrilateral(code.corners))
    }
    if includesUnreadCodes { results += unreadCodes(of: search, in: part) }
    return maximumObservations.map { Array(results.prefix($0)) } ?? results
  }

  /// What the library reads in the whole picture, for comparisons.
  ///
  /// - Throws: `.traitDisabled`, `.libraryUnavailable`, `.libraryFailed`.
  package func payloadsOfLibraryAlone(in picture: StillPicture) throws(StillError) -> [String] {
    let reader = try CodeReader.opened()
    return reader.read(picture.gray, [], .all).symbols.map(\.text)
  }

  /// - Throws: `.invalidRequest`.
  private func check() throws(StillError) {
    if let kind = symbologies.first(where: { !Self.supportedSymbologies.contains($0) }) {
      throw .invalidRequest(
        "symbologies has \(kind), which cannot be read; supportedSymbologies lists what can")
    }
    if let maximumObservations, maximumObservations < 1 {
      throw .invalidRequest(
        "maximumObservations is \(maximumObservations); expected 1 or more, or nil for all")
    }
  }

  /// What the detector is sure of and nothing could read.
  private func unreadCodes(
    of search: CodeSearch, in part: StillPicture
  ) -> [BarcodeObservation] {
    search.unread.filter { $0.confidence >= 0.25 }.compactMap { box in
      let symbology: BarcodeSymbology =
        switch box.label {
        case "qrCode": .qr
        case "dataMatrix": .dataMatrix
        default: .unknown
        }
      guard symbology == .unknown || symbologies.contains(symbology) else { return nil }
      let rect = box.rect
      let corners =
        part.codeCorners(in: rect, share: 0.55)
        ?? PixelQuad(x: rect.minX, y: rect.minY, width: rect.width, height: rect.height)
      return BarcodeObservation(
        symbology: symbology, payload: nil, isColorInverted: false, confidence: box.confidence,
        corners: part.quadrilateral(corners))
    }
  }
}
