// Fovea - fovea-bench rectangles: finding rectangles.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaStills

/// Measures the search for rectangles.
enum RectangleFindingCommand: Subcommand {
  static let description = CommandDescription(
    name: "rectangles", synopsis: "[OPTIONS] IMAGE...",
    summary: "Measures the search for rectangles.",
    options: [StillRounds.option] + BenchReport.options,
    operandCount: 1...Int.max,
    notes: """
      The search runs on one thread, and needs no library: in colors, as the request does it, and in
      gray levels. Times are those of decoded pictures, the least of all rounds.
      """)

  /// What is compared.
  private enum Way: String, CaseIterable {
    case colors = "in colors"
    case gray = "in gray levels"

    /// How many rectangles are found.
    func count(in picture: StillPicture) throws(StillError) -> Int {
      switch self {
      case .colors: try QuadFinder().find(in: picture).count
      case .gray: try QuadFinder().find(in: picture.gray).count
      }
    }
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let ways = Way.allCases
    return try StillRounds(subject: "rectangles", ways: ways.map(\.rawValue))
      .run(arguments) { way, picture in try ways[way].count(in: picture) }
  }
}
