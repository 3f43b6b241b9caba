// Fovea - how far fovea watch has come.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaCommandLine
internal import FoveaLibc
internal import FoveaVideo

/// Shows a person, twice a second, how far it has come.
struct WatchProgress {
  private let start = MonotonicClock.seconds()
  private let most: Int
  /// Whether standard output has nothing that a line of progress would be in the way of.
  private let isAlone: Bool
  private var last = 0.0
  private var count = 0

  /// - Parameters:
  ///   - most: The greatest number of pictures.
  ///   - isAlone: Whether nothing is printed on standard output for each picture.
  init(most: Int, isAlone: Bool) {
    self.most = most
    self.isAlone = isAlone
  }

  mutating func show(_ result: VideoResult, of description: VideoDescription) {
    count += 1
    let now = MonotonicClock.seconds()
    guard isAlone || SystemInterface.showsProgress, now - last > 0.5 else { return }
    last = now
    let elapsed = max(now - start, 1e-3)
    var parts = [
      "\(NumberText.fixed(result.time, digits: 1)) s",
      "\(NumberText.fixed(Double(count) / elapsed, digits: 1)) pictures/s",
      "\(result.counts.dropped) dropped", "\(result.observations.count) objects",
    ]
    if let left = secondsLeft(result.time, description, elapsed) {
      parts.append("\(Self.clock(left)) left")
    }
    SystemInterface.writeProgress(parts.joined(separator: "  "))
  }

  /// The seconds that the rest will take; `nil` for a source without a known end.
  private func secondsLeft(
    _ time: Double, _ description: VideoDescription, _ elapsed: Double
  ) -> Double? {
    var shares: [Double] = []
    if !description.isLive, let all = description.seconds, all > 0 { shares.append(time / all) }
    if most < .max { shares.append(Double(count) / Double(most)) }
    guard let share = shares.max(), share > 0, share <= 1 else { return nil }
    return elapsed * (1 - share) / share
  }

  /// Minutes and seconds, and hours where there are any.
  private static func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 1e9))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":\(two(whole % 60))"
  }

  func clear() { if last > 0 { SystemInterface.writeProgress("") } }
}
