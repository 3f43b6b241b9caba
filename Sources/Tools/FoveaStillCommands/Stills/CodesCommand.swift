// Fovea - fovea codes: reads the codes in images.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaModelCommands
internal import FoveaStills

/// Reads the codes in images.
enum CodesCommand: Subcommand {
  private static let names = DetectBarcodesRequest.supportedSymbologies.map(\.description)

  static let description = CommandDescription(
    name: "codes", synopsis: "[OPTIONS] IMAGE...",
    summary: "Reads the codes in images.",
    options: [
      .init(
        name: "--symbology", value: "A,B", help: "the kinds to look for (default: all of them)"),
      .init(name: "--one", help: "one code for each image: the surest"),
      .init(name: "--fast", help: "fewer ways to look at each code"),
      .init(name: "--unread", help: "also codes that were found and not read"),
      .draw,
    ] + StillRun.options,
    operandCount: 1...Int.max,
    notes: """
      Prints for each code its kind, its corners in pixels of the upright image, counted from the
      top left, and what it says. The corners begin at the upper left of the code itself and run
      clockwise. zxing-cpp reads the codes (Debian's libzxing2), in a process of its own.
      Kinds: \(names.prefix(7).joined(separator: ", ")),
      \(names.dropFirst(7).prefix(8).joined(separator: ", ")),
      \(names.dropFirst(15).joined(separator: ", ")).
      """)

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let run = try StillRun(description, key: "codes", arguments)
    let draw = try DrawingOutput("--draw", arguments, images: run.images.count)
    var request = run.applied(to: DetectBarcodesRequest())
    if let list = arguments.value("--symbology") { request.symbologies = try symbologies(list) }
    if arguments.has("--one") { request.maximumObservations = 1 }
    if arguments.has("--fast") { request.level = .fast }
    request.includesUnreadCodes = arguments.has("--unread")
    return try run.run(
      text: { (codes: [CodeReport]) in codes.map(\.line).joined() },
      look: { picture, path in
        let found = try request.result(in: picture)
        try draw?.write(picture.image, named: path, boxes: found.map { .drawn($0) })
        return found.map { CodeReport($0, in: picture.fullSize) }
      })
  }

  /// The kinds of a list of names.
  ///
  /// - Throws: `UsageError`.
  private static func symbologies(_ list: String) throws(UsageError) -> [BarcodeSymbology] {
    var chosen: [BarcodeSymbology] = []
    for name in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard
        let symbology = DetectBarcodesRequest.supportedSymbologies.first(where: {
          $0.description.lowercased() == name.lowercased()
        })
      else {
        throw UsageError(
          "--symbology has \"\(name)\"; expected some of \(names.joined(separator: ", "))")
      }
      chosen.append(symbology)
    }
    return chosen
  }
}

/// A code as it is printed.
struct CodeReport: Encodable {
  let payload: String?
  let symbology: String
  let corners: CornersReport
  let confidence: Double
  /// Absent where there is none.
  let addOn: String?
  /// The bytes as pairs of digits, where they are no text.
  let data: String?
  let isGS1: Bool?
  let isInverted: Bool?

  enum CodingKeys: CodingKey {
    case payload, symbology, corners, confidence, addOn, data, isGS1, isInverted
  }

  init(_ code: BarcodeObservation, in size: ImageSize) {
    let isBinary = code.payloadString == nil
    payload = code.payloadString ?? code.payloadData.map(Self.latin)
    symbology = code.symbology.description
    corners = CornersReport(code, in: size)
    confidence = NumberText.rounded(Double(code.confidence), digits: 3)
    addOn = code.addOn
    data = isBinary ? code.payloadData.map(Self.digits) : nil
    isGS1 = code.isGS1DataCarrier ? true : nil
    isInverted = code.isColorInverted ? true : nil
  }

  /// A code that was not read has a payload of null.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(payload, forKey: .payload)
    try container.encode(symbology, forKey: .symbology)
    try container.encode(corners, forKey: .corners)
    try container.encode(confidence, forKey: .confidence)
    try container.encodeIfPresent(addOn, forKey: .addOn)
    try container.encodeIfPresent(data, forKey: .data)
    try container.encodeIfPresent(isGS1, forKey: .isGS1)
    try container.encodeIfPresent(isInverted, forKey: .isInverted)
  }

  /// The line of text.
  var line: String {
    let points = corners.corners.map { "\($0[0]),\($0[1])" }.joined(separator: " ")
    let addition = addOn.map { " + \($0)" } ?? ""
    let words = payload.map { $0.printable + addition } ?? "(not read)"
    return "  \(symbology)  \(points)  \(words)\n"
  }

  /// Each byte as the character of that number.
  private static func latin(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
