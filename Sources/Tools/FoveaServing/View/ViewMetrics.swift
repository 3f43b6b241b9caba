// Fovea - numbers of the live view for programs that watch over others.
// SPDX-License-Identifier: Apache-2.0
internal import FoveaHTTP
internal import FoveaMedia
internal import FoveaVideo

/// Numbers of the live view for programs that watch over others.
enum ViewMetrics {
  static func answer(_ item: ViewFeed.Item?, viewers: Int) -> HTTPResponse {
    let counts = item?.result.counts ?? SequenceCounts()
    var metrics = MetricsText()
    metrics.add("fovea_pictures_decoded_total", .counter, counts.decoded)
    metrics.add("fovea_pictures_analyzed_total", .counter, counts.taken)
    metrics.add("fovea_pictures_dropped_total", .counter, counts.dropped)
    metrics.add("fovea_results_late_total", .counter, counts.late)
    metrics.add("fovea_pictures_damaged_total", .counter, counts.damaged)
    metrics.add("fovea_source_reconnects_total", .counter, counts.reconnects)
    metrics.add("fovea_latency_seconds", .gauge, item?.result.latency ?? 0)
    metrics.add("fovea_objects", .gauge, item?.result.observations.count ?? 0)
    metrics.add("fovea_viewers", .gauge, viewers)
    return metrics.response
  }
}
