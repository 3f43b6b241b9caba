// Fovea - ways to look at still pictures, in rounds.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaStills

/// Ways to look at still pictures, which take turns on each of them.
struct StillRounds {
  /// The option for the number of rounds.
  static let option = CommandDescription.Option(
    name: "--rounds", value: "N", help: "rounds over all images (default 5)")

  /// What the table counts, and what it is about: "codes".
  let subject: String
  /// The names of the ways.
  let ways: [String]

  /// Prints a table: for each way what it has found, and the least time of all rounds.
  ///
  /// - Parameter look: Looks at a picture in one of the ways; returns how much it has found. Nothing of a
  ///   turn is kept for another one.
  /// - Throws: `UsageError`; `CommandFailure`, which names the image.
  func run(
    _ arguments: ArgumentList, look: (_ way: Int, _ picture: StillPicture) throws -> Int
  ) throws -> Int32 {
    let rounds = try arguments.integer("--rounds", in: 1...1000) ?? 5
    var found = ways.map { _ in 0 }
    var milliseconds = ways.map { _ in 0.0 }
    var pixels = 0
    for path in arguments.operands {
      var least = ways.map { _ in Double.infinity }
      do {
        let image = try StillPicture(decoding: ImageFile(contentsOf: path)).image
        pixels += image.width * image.height
        try InterleavedRounds(rounds, subject: path).forEach(ways.count) { way in
          let start = MonotonicClock.seconds()
          let count = try look(way, StillPicture(image))
          let time = (MonotonicClock.seconds() - start) * 1000
          if least[way] == .infinity { found[way] += count }
          least[way] = min(least[way], time)
        }
      } catch {
        throw CommandFailure(error, file: path)
      }
      for way in ways.indices { milliseconds[way] += least[way] }
    }
    let images = arguments.operands.count
    var table = ResultTable(
      subject,
      [
        .init("way"), .init(subject), .init("minimum_ms", "ms an image"),
        .init("minimum_ms_per_megapixel", "ms a megapixel"),
      ])
    for (way, name) in ways.enumerated() {
      table.rows.append([
        .text(name), .count(found[way]), .number(milliseconds[way] / Double(images), digits: 1),
        .number(milliseconds[way] / (Double(pixels) / 1e6), digits: 1),
      ])
    }
    try BenchReport(
      heading: "\(subject) of \(images) images, \(rounds) rounds", tables: [table]
    ).publish(arguments)
    return 0
  }
}
