// Fovea - a line of JSON for each picture of a video.
// SPDX-License-Identifier: Apache-2.0
internal import Fovea
internal import FoveaCommandLine
internal import FoveaJSON
internal import FoveaVideo

/// Prints a line of JSON for each picture of a video.
struct FramesInfo {
  private let colors: ReferenceColors?

  /// - Parameter withSums: Whether lines have the MD5 sums of the RGB bytes.
  init(withSums: Bool) { colors = withSums ? ReferenceColors() : nil }

  /// Prints a line for each picture, then on standard error what was wrong with the source.
  ///
  /// - Returns: The exit code: 1 where there was no picture.
  func write(
    _ reader: any VideoReader, of source: VideoSource, most: Int
  ) throws(VideoError) -> Int32 {
    var count = 0
    var failure: VideoError?
    do throws(VideoError) {
      while count < most, let frame = try reader.next() {
        SystemInterface.writeOutput(line(frame))
        count += 1
      }
    } catch {
      // What came before stays said.
      failure = error
    }
    let damage = reader.damage
    if !damage.isNone {
      SystemInterface.writeError("fovea watch: \(source.name): \(Self.words(damage, count))\n")
    }
    if let failure { throw failure }
    if count == 0 {
      SystemInterface.writeError("fovea watch: \(WatchEnding.wordsWithoutPicture(source))\n")
    }
    return count == 0 ? 1 : 0
  }

  private func line(_ frame: VideoFrame) -> String {
    var members = [
      "\"frame\":\(frame.index)",
      "\"time\":\(JSONText.number(NumberText.rounded(frame.time, digits: 6)))",
      "\"pts\":\(frame.ticks.map(String.init) ?? "null")",
      "\"size\":[\(frame.size.width),\(frame.size.height)]",
    ]
    if let colors { members.append("\"rgbMd5\":\"\(MD5Digest.text(of: colors.rgb(of: frame)))\"") }
    if frame.isTimeEstimated { members.append("\"estimated\":true") }
    if frame.isDamaged { members.append("\"damaged\":true") }
    if frame.orientation != .up { members.append("\"orientation\":\(frame.orientation.rawValue)") }
    if frame.pixelAspect != 1 {
      let aspect = NumberText.rounded(frame.pixelAspect, digits: 6)
      members.append("\"pixelAspect\":\(JSONText.number(aspect))")
    }
    switch frame.interlacing {
    case .topFirst: members.append("\"interlaced\":\"top\"")
    case .bottomFirst: members.append("\"interlaced\":\"bottom\"")
    case nil: break
    }
    return "{\(members.joined(separator: ","))}\n"
  }

  private static func words(_ damage: VideoDamage, _ count: Int) -> String {
    var parts = ["\(count) pictures"]
    if damage.damagedPictures > 0 { parts.append("\(damage.damagedPictures) of them damaged") }
    if damage.lostPictures > 0 { parts.append("\(damage.lostPictures) lost") }
    if damage.passedErrors > 0 { parts.append("\(damage.passedErrors) errors passed over") }
    if let words = damage.words { parts.append("the first: \(words)") }
    if let ending = damage.ending { parts.append("ended early: \(ending)") }
    return parts.joined(separator: ", ")
  }
}
