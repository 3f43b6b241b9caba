// Fovea - a line of JSON for what was found in one picture of a video.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaVideo

/// A line of JSON for what was found in one picture of a video. All lines have all keys.
enum WatchRow {
  static func text(_ result: VideoResult) -> String {
    func seconds(_ value: Double) -> String {
      JSONText.number(NumberText.rounded(value, digits: 6))
    }
    let counts = result.counts
    let size = result.imageSize
    let members = [
      "\"frame\":\(result.index)",
      "\"time\":\(seconds(result.time))",
      "\"stated\":\(result.statedTime.map(seconds) ?? "null")",
      "\"width\":\(size.width),\"height\":\(size.height)",
      "\"objects\":\(DetectionRow.objects(result.observations, in: size))",
      "\"age\":\(seconds(result.age)),\"latency\":\(seconds(result.latency))",
      "\"late\":\(result.isLate),\"damaged\":\(result.isDamaged)",
      "\"counts\":{\"decoded\":\(counts.decoded),\"taken\":\(counts.taken)"
        + ",\"dropped\":\(counts.dropped),\"late\":\(counts.late)"
        + ",\"damaged\":\(counts.damaged),\"lost\":\(counts.lost)"
        + ",\"reconnects\":\(counts.reconnects)}",
    ]
    return "{\(members.joined(separator: ","))}\n"
  }
}
