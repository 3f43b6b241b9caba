// Fovea - numbers of a service for programs that watch over others.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaHTTP
internal import FoveaLibc

/// Numbers of a service for programs that watch over others.
final class ServiceMetrics: Sendable {
  private struct Key: Hashable {
    var route: String
    var status: Int
  }

  private struct State {
    var answers: [Key: Int] = [:]
    var times: [String: Times] = [:]
  }

  /// Times of a route.
  private struct Times {
    var counts = [Int](repeating: 0, count: ServiceMetrics.bounds.count + 1)
    var sum = 0.0
  }

  /// Bounds of the histogram, in seconds.
  private static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  ]

  private let state = Locked(State())
  private let start = MonotonicClock.seconds()

  /// A request was answered, so many seconds after it was whole.
  func count(_ route: String, status: Int, seconds: Double) {
    state.withLock { state in
      state.answers[Key(route: route, status: status), default: 0] += 1
      let place = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
      state.times[route, default: Times()].counts[place] += 1
      state.times[route, default: Times()].sum += seconds
    }
  }

  /// The answer with all numbers.
  func response(_ queue: WorkQueue, models: Int) -> HTTPResponse {
    let state = state.withLock { $0 }
    let load = queue.load
    var metrics = MetricsText()
    metrics.add(
      "fovea_requests_total", .counter,
      state.answers.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        .map { key, count in
          ("{route=\(MetricsText.quoted(key.route)),status=\"\(key.status)\"}", "\(count)")
        })
    metrics.add(
      "fovea_request_seconds", .histogram,
      state.times.sorted { $0.key < $1.key }.flatMap { Self.lines($0.key, $0.value) })
    metrics.add("fovea_queue_waiting", .gauge, load.waiting)
    metrics.add("fovea_queue_running", .gauge, load.running)
    metrics.add("fovea_queue_limit", .gauge, queue.limit)
    metrics.add("fovea_models", .gauge, models)
    metrics.add("fovea_up_seconds", .gauge, MonotonicClock.seconds() - start)
    return metrics.response
  }

  private static func lines(_ route: String, _ times: Times) -> [(suffix: String, value: String)] {
    let label = "route=\(MetricsText.quoted(route))"
    var lines: [(suffix: String, value: String)] = []
    var total = 0
    for (bound, count) in zip(bounds.map { "\($0)" } + ["+Inf"], times.counts) {
      total += count
      lines.append(("_bucket{\(label),le=\"\(bound)\"}", "\(total)"))
    }
    return lines + [("_sum{\(label)}", "\(times.sum)"), ("_count{\(label)}", "\(total)")]
  }
}
