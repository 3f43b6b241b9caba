// Fovea - fovea-bench codes: reading codes, against the library alone.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaStills

/// Compares the request for codes with zxing-cpp on the whole picture.
enum CodeReadingCommand: Subcommand {
  static let description = CommandDescription(
    name: "codes", synopsis: "[OPTIONS] IMAGE...",
    summary: "Compares the request for codes with zxing-cpp alone.",
    options: [StillRounds.option] + BenchReport.options,
    operandCount: 1...Int.max,
    notes: """
      The library alone reads the whole picture, all kinds, as hard as it can. Times are those of
      decoded pictures, the least of all rounds; the detector runs in each.
      """)

  /// What is compared.
  private enum Way: String, CaseIterable {
    case library = "zxing-cpp alone"
    case fast = "request, fast"
    case accurate = "request, accurate"

    /// How many codes are read.
    func count(in picture: StillPicture) throws(StillError) -> Int {
      var request = DetectBarcodesRequest()
      request.includesUnreadCodes = false
      switch self {
      case .library: return try request.payloadsOfLibraryAlone(in: picture).count
      case .fast: request.level = .fast
      case .accurate: break
      }
      return try request.result(in: picture).count
    }
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let ways = Way.allCases
    return try StillRounds(subject: "codes", ways: ways.map(\.rawValue))
      .run(arguments) { way, picture in try ways[way].count(in: picture) }
  }
}
