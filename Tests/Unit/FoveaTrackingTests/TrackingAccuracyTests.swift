// Fovea - how good tracks are, beside what other trackers reach on the same detections.
// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoveaEvaluation
import FoveaTestSupport
import Testing

/// One set of parameters for all.
@Suite(.enabled(if: SharedData.isPresent && BuildConfiguration.isSwiftOptimized))
struct TrackingAccuracyTests {
  static let synthetic = [
    "cars-15", "cross-10", "cross-30", "cross-5", "crowd-15", "dance-10", "dance-20", "few-7",
    "pan-10", "pan-30",
  ]

  /// The mean of the sequences, and all of them taken together.
  private func accuracy(_ names: [String], _ detector: String) throws -> (Double, Double) {
    let metrics = try names.map { try TestSequence($0, detector: detector).metrics() }
    let mean = metrics.reduce(0) { $0 + $1.hota.accuracy } / Double(metrics.count)
    return (mean, TrackMetrics(combining: metrics).hota.accuracy)
  }

  /// The best of the stored answers of other trackers.
  private func best(_ group: String) throws -> (Double, Double) {
    let document = try #require(try SharedData.json("video/mot/references.json") as? [String: Any])
    let results = try #require(document["results"] as? [String: [String: [String: [String: Any]]]])
    var (mean, all) = (0.0, 0.0)
    for sequences in try #require(results[group]).values {
      let values = sequences.mapValues { ($0["HOTA"] as? NSNumber)?.doubleValue ?? 0 }
      let single = values.filter { $0.key != "COMBINED_SEQ" }.values
      mean = max(mean, single.reduce(0, +) / Double(single.count))
      all = max(all, values["COMBINED_SEQ"] ?? 0)
    }
    return (mean, all)
  }

  @Test func surePedestriansOfMovingCameras() throws {
    let (mean, all) = try accuracy(["MOT17-02", "MOT17-09", "MOT17-11"], "yolox-x-ablation")
    let peers = try best("mot17-val-yolox")
    #expect(mean >= peers.0 + 0.007 && all >= peers.1 + 0.007, "\(mean) \(all) \(peers)")
  }

  @Test func detectionsOfAnOldDetector() throws {
    let (mean, all) = try accuracy(
      ["PETS09-S2L1", "TUD-Campus", "TUD-Stadtmitte", "ETH-Sunnyday", "KITTI-17", "Venice-2"],
      "frcnn")
    let peers = try best("mot15-frcnn")
    #expect(mean >= peers.0 + 0.001 && all >= peers.1 + 0.001, "\(mean) \(all) \(peers)")
  }

  @Test func tinyDetectorAtSevenFramesASecond() throws {
    let (mean, _) = try accuracy(["PETS09-S2L1"], "yolo-fastest-1.1-xl")
    #expect(mean >= 0.395, "\(mean)")
  }

  @Test(arguments: [("good", 0.6), ("tiny", 0.45), ("poor", 0.2)])
  func simulatedDetectors(_ level: String, _ bar: Double) throws {
    let (mean, all) = try accuracy(Self.synthetic, level)
    #expect(mean >= bar && all >= bar, "\(level): \(mean) \(all)")
  }
}
