// Fovea - a line of JSON for what was found in one picture of a video.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaModelCommands
internal import FoveaJSON
internal import FoveaVideo

/// A line of JSON for what was found in one picture of a video. All lines have all keys.
enum WatchRow {
  /// The line.
  ///
  /// - Parameter added: Members that stand after the objects.
  static func text(_ result: VideoResult, adding added: [String] = []) -> String {
    func seconds(_ value: Double) -> String {
      JSONText.number(NumberText.rounded(value, digits: 6))
    }
    let counts = result.counts
    let size = result.imageSize
    let first = [
      "\"frame\":\(result.index)",
      "\"time\":\(seconds(result.time))",
      "\"stated\":\(result.statedTime.map(seconds) ?? "null")",
      "\"width\":\(size.width),\"height\":\(size.height)",
      "\"objects\":\(DetectionRow.objects(result.observations, in: size))",
    ]
    let last = [
      "\"age\":\(seconds(result.age)),\"latency\":\(seconds(result.latency))",
      "\"late\":\(result.isLate),\"damaged\":\(result.isDamaged)",
      "\"counts\":{\"decoded\":\(counts.decoded),\"taken\":\(counts.taken)"
        + ",\"dropped\":\(counts.dropped),\"late\":\(counts.late)"
        + ",\"damaged\":\(counts.damaged),\"lost\":\(counts.lost)"
        + ",\"reconnects\":\(counts.reconnects)}",
    ]
    return "{\((first + added + last).joined(separator: ","))}\n"
  }

  /// An object in words, its box in pixels of a picture of `size`.
  static func words(
    _ label: String, _ score: Double, _ box: NormalizedRect, in size: ImageSize
  ) -> String {
    let box = box.toImageCoordinates(size, origin: .upperLeft)
    let place = [box.x, box.y, box.width, box.height].map { NumberText.fixed($0, digits: 0) }
    return "\(label) \(NumberText.percent(score)) at \(place.joined(separator: ","))"
  }
}
