// Fovea - what the decoding thread of a sequence does.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaLibc

/// Opens a source, hands its pictures over, and opens a lost network source again.
struct SequenceDecoding {
  private let source: VideoSource
  private let options: SequenceOptions
  private let exchange: FrameExchange
  private var count = 0
  /// The time of the last picture, and when it arrived.
  private var last: (time: Double, arrival: UInt64)?
  /// What is added to the times of the present opening.
  private var offset = 0.0
  /// Of openings before the present one.
  private var earlier = VideoDamage()
  private var paceStart: UInt64?
  /// Whether the source states how long it lasts: what ends without a failure is over then.
  private var hasEnd = false

  init(_ source: VideoSource, _ options: SequenceOptions, _ exchange: FrameExchange) {
    self.source = source
    self.options = options
    self.exchange = exchange
  }

  /// Runs until the source ends, is lost for good, or nobody wants more.
  mutating func run() {
    var attempts = 0
    while true {
      let before = count
      var failure: VideoError?
      var ending: String?
      do throws(VideoError) {
        ending = try readOnce()
      } catch {
        failure = error
      }
      if count > before { attempts = 0 }
      let isLost = failure != nil || ending != nil || source.isLive && !hasEnd
      guard mayReconnect, isLost, count > 0, attempts < options.maximumReconnects, !isOver else {
        let isCancelled = options.video.reading.isCancelled
        exchange.finish(isCancelled ? nil : failure, ending: ending, earlier)
        return
      }
      let pause = options.reconnectPause * Double(1 << min(attempts, 10))
      guard rest(seconds: min(pause, 30)) else {
        exchange.finish(nil, ending: ending, earlier)
        return
      }
      attempts += 1
      exchange.countReconnect()
    }
  }

  private var mayReconnect: Bool {
    if case .network = source { return true }
    return false
  }

  private var isOver: Bool { options.video.reading.isCancelled || exchange.isCancelled }

  /// Opens the source and hands over all that it gives.
  ///
  /// - Returns: Why it ended before its end; `nil` where it did not.
  private mutating func readOnce() throws(VideoError) -> String? {
    let reader = try source.open(options.video)
    exchange.begin(reader.description)
    hasEnd = reader.description.seconds != nil
    var isFirst = true
    defer {
      earlier.lostPictures += reader.damage.lostPictures
      earlier.damagedPictures += reader.damage.damagedPictures
      earlier.passedErrors += reader.damage.passedErrors
    }
    while var frame = try reader.next() {
      if isFirst, let last {
        // The pause counts as time that went by.
        offset = last.time + Double(frame.arrival - last.arrival) / 1e9 - frame.time
      }
      isFirst = false
      frame.index = count
      frame.time += offset
      count += 1
      last = (frame.time, frame.arrival)
      guard pace(&frame), exchange.put(frame, reader.damage, earlier: earlier) else { return nil }
    }
    return reader.damage.ending
  }

  /// Lets a paced file wait for the time of its picture; `false` where nobody wants more.
  private mutating func pace(_ frame: inout VideoFrame) -> Bool {
    guard options.isPaced, !source.isLive else { return true }
    let start = paceStart ?? frame.arrival &- UInt64(max(0, frame.time) * 1e9)
    paceStart = start
    let due = start &+ UInt64(frame.time * 1e9)
    let now = MonotonicClock.nanoseconds()
    if due > now, !rest(seconds: Double(due - now) / 1e9) { return false }
    frame.arrival = max(due, frame.arrival)
    return true
  }

  /// Waits; `false` where nobody wants more.
  private func rest(seconds: Double) -> Bool {
    let end = MonotonicClock.nanoseconds() &+ UInt64(max(0, min(seconds, 1e9)) * 1e9)
    while !isOver {
      let now = MonotonicClock.nanoseconds()
      guard now < end else { return true }
      // Cancelling is noticed within 20 ms.
      MonotonicClock.sleep(nanoseconds: Int(min(20_000_000, end - now)))
    }
    return false
  }
}
