// Fovea - fovea-bench codes: reading codes, against the library alone.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaStills

/// Compares the request for codes with zxing-cpp on the whole picture.
enum CodeReadingCommand: Subcommand {
  static let description = CommandDescription(
    name: "codes", synopsis: "[OPTIONS] IMAGE...",
    summary: "Compares the request for codes with zxing-cpp alone.",
    options: [
      .init(name: "--rounds", value: "N", help: "rounds over all images (default 5)")
    ] + BenchReport.options,
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

    /// The payloads that are read.
    func payloads(in image: Image) throws(StillError) -> [String] {
      let picture = StillPicture(image)
      var request = DetectBarcodesRequest()
      request.includesUnreadCodes = false
      switch self {
      case .library: return try request.payloadsOfLibraryAlone(in: picture)
      case .fast: request.level = .fast
      case .accurate: break
      }
      return try request.result(in: picture).map { $0.payloadString ?? "" }
    }
  }

  static func run(_ arguments: ArgumentList) throws -> Int32 {
    let rounds = try arguments.integer("--rounds", in: 1...1000) ?? 5
    let ways = Way.allCases
    var codes = ways.map { _ in 0 }
    var times = ways.map { _ in 0.0 }
    for path in arguments.operands {
      let image: Image
      do {
        image = try StillPicture(decoding: ImageFile(contentsOf: path)).image
      } catch {
        throw CommandFailure(error, file: path)
      }
      var least = ways.map { _ in Double.infinity }
      try InterleavedRounds(rounds, subject: path).forEach(ways.count) { index in
        let start = MonotonicClock.seconds()
        let payloads = try ways[index].payloads(in: image)
        let milliseconds = (MonotonicClock.seconds() - start) * 1000
        if least[index] == .infinity { codes[index] += payloads.count }
        least[index] = min(least[index], milliseconds)
      }
      for index in ways.indices { times[index] += least[index] }
    }
    let count = arguments.operands.count
    var table = ResultTable(
      "codes",
      [.init("way"), .init("codes"), .init("minimum_ms", "ms an image")])
    for (index, way) in ways.enumerated() {
      table.rows.append([
        .text(way.rawValue), .count(codes[index]),
        .number(times[index] / Double(count), digits: 1),
      ])
    }
    try BenchReport(heading: "codes of \(count) images, \(rounds) rounds", tables: [table])
      .publish(arguments)
    return 0
  }
}
